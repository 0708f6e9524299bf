/*
 * Fields: numbers in a sample: addresses, and the rows NUMBER of fields.def: weights, page
 * sizes, transactions.
 */
#include "field-family.h"

static void format_hex18(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	strbuf_addf(out, "%#lx", key);
}

static u64 slot_addr(const struct resolved_sample *rs)
{
	return rs->branch ? rs->branch->to : rs->sample->ip;
}

/* kernel addresses first */
static int cmp_addr(const struct field_ctx *ctx, u64 a, u64 b)
{
	return ((s64)a > (s64)b) - ((s64)a < (s64)b);
}

const struct field field_addr = { .name = "addr", .title = "Address", .kind = FIELD_SLOT, .width = 18,
	.slot = slot_addr, .type = VIEW_ADDRESS, .format = format_hex18, .cmp = cmp_addr,
	.help = "run-time address of the code" };

/* a weight of each sample, and the same multiplied by the number of samples in the row */
static void format_u64(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	strbuf_add_u64(out, key, 0);
}

#define AS_EACH		.type = VIEW_NUMBER, .format = format_u64, .cmp = cmp_descending
#define AS_TIMES	AS_EACH, .times_nr = true

/* 4K, 2M, 1G: the largest unit that divides the size */
static void format_page_size(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	static const char units[] = " KMGT";
	int u = 0;

	if (!key) {
		strbuf_addstr(out, "N/A");
		return;
	}
	while (key % 1024 == 0 && units[u + 1]) {
		key /= 1024;
		u++;
	}
	strbuf_add_u64(out, key, 0);
	if (u)
		strbuf_addch(out, units[u]);
}

#define AS_PAGE_SIZE \
	.type = VIEW_NUMBER, .unit = "bytes", .zero_is_absent = true, .format = format_page_size

/* physical memory belongs to no side */
static void format_phys_addr(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	strbuf_addstr(out, key ? "[.] 0x" : "[.] ");
	strbuf_add_hex(out, key, 16, '0');
}

#define AS_PHYS_ADDR	.type = VIEW_ADDRESS, .zero_is_absent = true, .format = format_phys_addr

static void format_transaction(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	static const struct {
		u64 bit;
		const char *name;
	} bits[] = {
		{ 1, "EL " }, { 2, "TX " }, { 4, "SYNC " }, { 8, "ASYNC " }, { 16, "RETRY " }, { 32, "CON " },
		{ 64, "CAP-WRITE " }, { 128, "CAP-READ " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
		if (key & bits[i].bit)
			strbuf_addstr(out, bits[i].name);
	if (key && !(key & (PERF_TXN_SYNC | PERF_TXN_ASYNC)))
		strbuf_addstr(out, "NEITHER ");
	if (key >> 32)
		strbuf_addf(out, ":%lx", key >> 32);
}

#define AS_TRANSACTION	.format = format_transaction

#define FIELD(id)
#define NUMBER(id, member, form, head, least, what, ...) \
static u64 slot_##id(const struct resolved_sample *rs) \
{ \
	return rs->sample->member; \
} \
const struct field field_##id = { .name = #id, .title = head, .kind = FIELD_SLOT, .width = least, \
	.slot = slot_##id, AS_##form, .help = what, __VA_ARGS__ };
#include "fields.def"
