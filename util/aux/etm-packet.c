/* Packets of CoreSight ETMv4 and ETE: see etm-packet.h. */
#include "etm-packet.h"

#include <string.h>

/* a packet while it is read; what is read past the end is 0, and makes it a bad one */
struct etm_reader {
	const u8 *p;
	size_t len, at;
	bool ends;
};

static NOINLINE u8 byte(struct etm_reader *r)
{
	if (r->at < r->len)
		return r->p[r->at++];
	r->ends = true;
	return 0;
}

static NOINLINE u64 number(struct etm_reader *r, u32 size)
{
	u64 v = 0;

	for (u32 i = 0; i < size; i++)
		v |= (u64)byte(r) << 8 * i;
	return v;
}

/* 7 bits of each byte whose bit 7 says that another one follows; max bytes. Adds the number of bits to *nr */
static u64 chain_bits(struct etm_reader *r, u32 max, u32 *nr)
{
	u64 v = 0;
	u8 b = 0x80;

	for (u32 i = 0; i < max && b & 0x80; i++, *nr += 7) {
		b = byte(r);
		v |= (u64)(b & 0x7f) << 7 * i;
	}
	return v;
}

static NOINLINE u64 chain(struct etm_reader *r, u32 max)
{
	u32 nr = 0;

	return chain_bits(r, max, &nr);
}

static void keep_address(struct etm_state *s, u64 addr, u8 isa)
{
	memmove(s->addr + 1, s->addr, 2 * sizeof(*s->addr));
	memmove(s->isa + 1, s->isa, 2);
	s->addr[0] = addr;
	s->isa[0] = isa;
}

static void read_exact(struct etm_state *s, u32 entry, struct etm_packet *ret)
{
	ret->match = entry + 1;
	ret->has_addr = true;
	ret->value = s->addr[entry];
	keep_address(s, ret->value, s->isa[entry]);
}

/* bits of the last address that this one does not have are the same */
static void read_short(struct etm_reader *r, struct etm_state *s, u8 isa, struct etm_packet *ret)
{
	u32 shift = isa ? 1 : 2, nr = 7;
	u8 b = byte(r);
	u64 low = b & 0x7f;

	if (b & 0x80) {
		low |= (u64)byte(r) << 7;
		nr = 15;
	}
	ret->value = (s->addr[0] & ~0ull << (nr + shift)) | low << shift;
	ret->has_addr = true;
	keep_address(s, ret->value, isa);
}

static void read_long(struct etm_reader *r, struct etm_state *s, u32 size, u8 isa, struct etm_packet *ret)
{
	u64 low = byte(r) & 0x7f, next = byte(r);

	ret->value = isa ? low << 1 | next << 8 : low << 2 | (next & 0x7f) << 9;
	ret->value |= number(r, size - 2) << 16;
	if (size == 4)
		ret->value |= s->addr[0] & ~0ull << 32;
	ret->has_addr = true;
	keep_address(s, ret->value, isa);
}

static void read_context(struct etm_reader *r, const struct etm_config *c, struct etm_packet *ret)
{
	u8 info = byte(r);

	ret->has_context = true;
	ret->context = (struct etm_context){
		.el = info & 3, .is64 = info >> 4 & 1, .state = (info >> 5 & 1) | (info >> 2 & 2),
		.has_vmid = info >> 6 & 1, .has_ctx = info >> 7,
	};
	if (ret->context.has_vmid)
		ret->context.vmid = number(r, c->vmid_size);
	if (ret->context.has_ctx)
		ret->context.ctx = number(r, c->ctx_size);
}

static void read_info(struct etm_reader *r, struct etm_state *s, struct etm_packet *ret)
{
	u32 what = chain(r, 4);

	memset(s, 0, sizeof(*s));
	if (what & 1)
		ret->value = chain(r, 4);
	if (what & 2)
		chain(r, 5);		/* keys of load and store elements */
	if (what & 4)
		ret->commits = chain(r, 4);
	if (what & 8) {
		ret->count = chain(r, 4);
		ret->has_count = true;
	}
	if (what & 16)
		chain(r, 4);		/* window of a trace that can stop: not used by perf */
}

static void read_time(struct etm_reader *r, struct etm_state *s, struct etm_packet *ret)
{
	u32 nr = 0;
	u64 v = chain_bits(r, 8, &nr);

	if (nr == 56 && !r->ends && r->p[r->at - 1] & 0x80) {
		v |= (u64)byte(r) << 56;
		nr = 64;
	}
	s->time = nr == 64 ? v : (s->time & ~0ull << nr) | v;
	ret->value = s->time;
	ret->has_count = ret->header & 1;
	if (ret->has_count)
		ret->count = chain(r, 3) & 0xfffff;
}

static void read_exception(struct etm_reader *r, struct etm_packet *ret)
{
	u8 b = byte(r);

	ret->exception = b >> 1 & 31;
	if (b & 0x80)
		ret->exception |= (byte(r) & 31) << 5;
	ret->match_prev = (b & 0x41) == 0x40;
	ret->addr_follows = ret->match_prev || (b & 0x41) == 1;
}

static void read_count(struct etm_reader *r, const struct etm_config *c, struct etm_packet *ret)
{
	u8 h = ret->header, b;

	ret->has_count = true;
	if (h >= 0x10) {			/* F3: above the threshold */
		ret->count = h & 3;
		ret->commits = c->commits ? (h >> 2 & 3) + 1 : 0;
	} else if (h >= 0x0e) {			/* F1 */
		ret->commits = c->commits ? chain(r, 4) : 0;
		ret->has_count = !(h & 1);
		if (ret->has_count)
			ret->count = chain(r, 3) & 0xfffff;
	} else {				/* F2 */
		b = byte(r);
		ret->count = b & 15;
		b >>= 4;
		if (c->commits)
			ret->commits = h & 1 ? MAX(c->max_spec + b, 15u) - 15 : b + 1u;
	}
}

/* one or two atoms, or none, that packets of speculation have */
static void few_atoms(struct etm_packet *ret, u32 how)
{
	static const u8 nr[] = { 0, 1, 2, 1 };

	ret->nr = nr[how & 3];
	ret->atoms = how == 3 ? 0 : 3;
}

static void read_speculation(struct etm_reader *r, struct etm_packet *ret)
{
	u8 h = ret->header;

	if (h == 0x2d) {
		ret->commits = chain(r, 4);
		return;
	}
	ret->mispredicts = h != 0x2e;
	if (h < 0x30) {
		ret->cancels = chain(r, 4);
	} else if (h < 0x38) {
		few_atoms(ret, h & 3);
		ret->cancels = h >= 0x34;
	} else {
		few_atoms(ret, h & 1);
		ret->cancels = (h >> 1 & 3) + 2;
	}
}

static void read_q(struct etm_reader *r, struct etm_state *s, struct etm_packet *ret)
{
	u32 how = ret->header & 15;

	if (how < 3)
		read_exact(s, how, ret);
	else if (how == 5 || how == 6)
		read_short(r, s, how == 6, ret);
	else if (how == 10 || how == 11)
		read_long(r, s, 4, how == 11, ret);
	ret->has_count = how != 15;
	if (ret->has_count)
		ret->count = chain(r, 5);
}

/* F4 and F5 have patterns, of 4 and 5 atoms, the first one lowest */
static void read_atoms(struct etm_packet *ret)
{
	static const u8 f4[] = { 0xe, 0x0, 0xa, 0x5 }, f5[] = { 0x1e, 0x00, 0x0a, 0x15 };
	u8 h = ret->header;

	if (h >= 0xf8) {
		ret->nr = 3;
		ret->atoms = h & 7;
	} else if (h >= 0xf6) {
		ret->nr = 1;
		ret->atoms = h & 1;
	} else if (h >= 0xd5 && (h < 0xe0 || h == 0xf5)) {
		ret->nr = h >= 0xdc && h != 0xf5 ? 4 : h >= 0xd8 && h != 0xf5 ? 2 : 5;
		ret->atoms = h == 0xf5 ? f5[0] : ret->nr == 4 ? f4[h & 3] : ret->nr == 2 ? h & 3u : f5[h & 3];
	} else {			/* F6: taken ones, and one more */
		ret->nr = (h & 31) + 4;
		ret->atoms = (1u << (ret->nr - 1)) - 1;
		ret->atoms |= h & 32 ? 0 : 1u << (ret->nr - 1);
	}
}

static void read_extension(struct etm_reader *r, struct etm_packet *ret)
{
	u8 b = byte(r);

	ret->type = b == 3 ? ETM_DISCARD : b == 5 ? ETM_OVERFLOW : ETM_BAD;
	if (b)
		return;
	for (u32 i = 2; i < ETM_ASYNC_SIZE - 1; i++)
		b |= byte(r);
	ret->type = !b && byte(r) == 0x80 ? ETM_ASYNC : ETM_BAD;
}

/* the bytes after the header, if the type has some */
static void read_address(struct etm_reader *r, const struct etm_config *c, struct etm_state *s,
			 struct etm_packet *ret)
{
	switch (ret->header) {
	case 0x82: case 0x83: case 0x85: case 0x86:
		read_long(r, s, ret->header >= 0x85 ? 8 : 4, ret->header == 0x83 || ret->header == 0x86, ret);
		return read_context(r, c, ret);
	case 0x90: case 0x91: case 0x92: case 0xb0: case 0xb1: case 0xb2:
		return read_exact(s, ret->header & 3, ret);
	case 0x95: case 0x96: case 0xb4: case 0xb5:
		return read_short(r, s, ret->header == 0x96 || ret->header == 0xb5, ret);
	case 0x9a: case 0x9b: case 0xb6: case 0xb7:
		return read_long(r, s, 4, ret->header & 1, ret);
	case 0x9d: case 0x9e: case 0xb8: case 0xb9:
		return read_long(r, s, 8, ret->header == 0x9e || ret->header == 0xb9, ret);
	}
	ret->type = ETM_BAD;
}

static bool is_q(u8 h)
{
	return 0x9c67u >> (h & 15) & 1;	/* 0 to 2, 5, 6, 10 to 12, 15 */
}

/* packets of conditional instructions, which A-profile processors do not trace */
static void read_conditional(struct etm_reader *r, struct etm_packet *ret)
{
	u8 h = ret->header;

	if (h == 0x6c)
		chain(r, 5);
	else if (h == 0x6d)
		byte(r);
	else if (h >= 0x50 && h < 0x60)
		byte(r);
	else if (h == 0x68 || h == 0x69 || h == 0x6a || h == 0x6b || h == 0x6e || h == 0x6f)
		for (u32 i = 0; i < (h & 4 ? 1u : 2u); i++)
			chain(r, 5);
}

static u8 type_of(u8 h, bool ete)
{
	static const u8 low[] = {
		ETM_BAD, ETM_TRACE_INFO, ETM_TIMESTAMP, ETM_TIMESTAMP, ETM_TRACE_ON, ETM_FUNC_RET, ETM_EXCEPT,
		ETM_EXCEPT_RTN, ETM_RESYNC, ETM_ITE, ETM_TRANS_START, ETM_TRANS_COMMIT, ETM_CCNT, ETM_CCNT,
		ETM_CCNT, ETM_CCNT,
	};

	if (h < sizeof(low))
		return (h < 9 || h > 11 || ete) ? low[h] : ETM_BAD;
	if (h < 0x20)
		return ETM_CCNT;
	if (h < 0x2d)
		return ETM_DATA_SYNC;
	if (h < 0x40)
		return h == 0x2d ? ETM_COMMIT : h < 0x30 || h >= 0x34 ? ETM_CANCEL : ETM_MISPREDICT;
	if (h < 0x70)
		return ETM_CONDITIONAL;
	if (h < 0x80)
		return h == 0x70 ? ETM_IGNORE : ETM_EVENT;
	if (h < 0x82)
		return ETM_CONTEXT;
	if (h < 0xa0)
		return h == 0x88 ? ETM_TS_MARKER : ETM_ADDR;
	if (h < 0xb0)
		return is_q(h) ? ETM_Q : ETM_BAD;
	return h >= 0xc0 ? ETM_ATOM : ete ? ETM_SRC_ADDR : ETM_BAD;
}

static void read_payload(struct etm_reader *r, const struct etm_config *c, struct etm_state *s,
			 struct etm_packet *ret)
{
	switch (ret->type) {
	case ETM_TRACE_INFO:
		return read_info(r, s, ret);
	case ETM_TIMESTAMP:
		return read_time(r, s, ret);
	case ETM_EXCEPT:
		return read_exception(r, ret);
	case ETM_ITE:
		ret->el = byte(r) & 3;
		ret->value = number(r, 8);
		return;
	case ETM_CCNT:
		return read_count(r, c, ret);
	case ETM_COMMIT: case ETM_CANCEL: case ETM_MISPREDICT:
		return read_speculation(r, ret);
	case ETM_CONDITIONAL:
		return read_conditional(r, ret);
	case ETM_EVENT:
		ret->value = ret->header & 15;
		return;
	case ETM_CONTEXT:
		if (ret->header & 1)
			read_context(r, c, ret);
		return;
	case ETM_ADDR: case ETM_SRC_ADDR:
		return read_address(r, c, s, ret);
	case ETM_Q:
		return read_q(r, s, ret);
	case ETM_ATOM:
		return read_atoms(ret);
	}
}

size_t etm_packet_read(const u8 *p, size_t len, const struct etm_config *c, struct etm_state *s,
		       struct etm_packet *ret)
{
	struct etm_reader r = { p, len, 1, false };

	*ret = (struct etm_packet){ .type = type_of(*p, c->ete), .header = *p };
	if (*p)
		read_payload(&r, c, s, ret);
	else
		read_extension(&r, ret);
	if (ret->type == ETM_BAD || r.ends) {
		*ret = (struct etm_packet){ .type = ETM_BAD, .header = *p };
		return 1;
	}
	return r.at;
}

const u8 *etm_find_async(const u8 *p, size_t len)
{
	static const u8 async[ETM_ASYNC_SIZE] = { [ETM_ASYNC_SIZE - 1] = 0x80 };

	return memmem(p, len, async, sizeof(async));
}

bool etm_is_padding(const u8 *p, size_t len)
{
	u8 any = 0;

	for (size_t i = 0; i < len && i < ETM_ASYNC_SIZE; i++)
		any |= p[i];
	return len < ETM_ASYNC_SIZE && !any;
}
