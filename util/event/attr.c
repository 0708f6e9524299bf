/* Attributes: bytes to struct pe_attr, and names for events that have none. */
#include "attr.h"
#include "../base/cursor.h"

#define HOST_IS_BE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static u64 reverse_bits(u64 v)
{
	u64 r = 0;

	for (int i = 0; i < 64; i++)
		r |= (v >> i & 1) << (63 - i);
	return r;
}

/* precise_ip is a number of two bits: the swap of the word reversed them, and this restores them */
static u64 swap_precise(u64 flags)
{
	u64 precise = (flags & ATTR_PRECISE_MASK) >> ATTR_PRECISE_SHIFT;

	precise = precise >> 1 | (precise & 1) << 1;
	return (flags & ~ATTR_PRECISE_MASK) | precise << ATTR_PRECISE_SHIFT;
}

/* a big-endian machine counts bit fields from the highest bit */
static u64 flags_from_be(u64 be)
{
	return swap_precise(reverse_bits(be));
}

u64 pe_attr_kernel_flags(u64 flags)
{
	return HOST_IS_BE ? reverse_bits(swap_precise(flags)) : flags;
}

bool pe_attr_decode(struct pe_attr *out, const void *p, u32 size, bool swap)
{
	u8 full[sizeof(*out)] = { 0 };
	const u8 *tail = (const u8 *)p + MIN(size, sizeof(full));
	struct cursor c = cursor_of(full, sizeof(full), swap);

	memcpy(full, p, MIN(size, sizeof(full)));
	out->type = cursor_u32(&c);
	out->size = cursor_u32(&c);
	out->config = cursor_u64(&c);
	out->sample_period = cursor_u64(&c);
	out->sample_type = cursor_u64(&c);
	out->read_format = cursor_u64(&c);
	out->flags = cursor_u64(&c);
	if (swap != HOST_IS_BE)
		out->flags = flags_from_be(out->flags);
	out->wakeup_events = cursor_u32(&c);
	out->bp_type = cursor_u32(&c);
	out->config1 = cursor_u64(&c);
	out->config2 = cursor_u64(&c);
	out->branch_sample_type = cursor_u64(&c);
	out->sample_regs_user = cursor_u64(&c);
	out->sample_stack_user = cursor_u32(&c);
	out->clockid = cursor_u32(&c);
	out->sample_regs_intr = cursor_u64(&c);
	out->aux_watermark = cursor_u32(&c);
	out->sample_max_stack = cursor_u16(&c);
	out->reserved_2 = cursor_u16(&c);
	out->aux_sample_size = cursor_u32(&c);
	out->aux_action = cursor_u32(&c);
	out->sig_data = cursor_u64(&c);
	out->config3 = cursor_u64(&c);
	out->config4 = cursor_u64(&c);
	for (u32 i = sizeof(full); i < size; i++, tail++)
		if (*tail)
			return false;
	return true;
}
