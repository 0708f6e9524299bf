/* Fields: numbers in a sample: weights, addresses, page sizes, transactions. */
#include "field-family.h"

static void format_u64(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	strbuf_add_u64(out, key, 0);
}

static void format_hex18(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	strbuf_addf(out, "%#lx", key);
}

/* a weight of each sample, and the same multiplied by the number of samples in the row */
#define WEIGHT(id, member, head, global_head, what, ...) \
static u64 slot_##id(const struct resolved_sample *rs) \
{ \
	return rs->sample->member; \
} \
const struct field field_local_##id = { .name = "local_" #id, .title = head, .kind = FIELD_SLOT, \
	.slot = slot_##id, .type = VIEW_NUMBER, .format = format_u64, .cmp = cmp_descending, .help = what " of each sample" }; \
const struct field field_##id = { .name = #id, .title = global_head, .kind = FIELD_SLOT, .times_nr = true, \
	.slot = slot_##id, .type = VIEW_NUMBER, .format = format_u64, .cmp = cmp_descending, .help = what " times the samples", __VA_ARGS__ };

/* titles are upstream's on x86, where the third weight has two names */
WEIGHT(weight, weight, "Local Weight", "Weight", "first weight", .width = 12)
WEIGHT(ins_lat, ins_lat, "Local INSTR Latency", "INSTR Latency", "latency of the instruction", .as_column = &field_weight2)
WEIGHT(p_stage_cyc, p_stage_cyc, "Local Retire Latency", "Retire Latency", "cycles in a pipeline stage",
       .as_column = &field_weight3)
WEIGHT(retire_lat, p_stage_cyc, "Local Pipeline Stage Cycle", "Pipeline Stage Cycle", "latency of retiring",
       .as_column = &field_weight3)

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
	.slot = slot_addr, .type = VIEW_ADDRESS, .format = format_hex18, .cmp = cmp_addr, .help = "run-time address of the code" };

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

static u64 slot_code_page_size(const struct resolved_sample *rs)
{
	return rs->sample->code_page_size;
}

const struct field field_code_page_size = { .name = "code_page_size", .title = "Code Page Size", .kind = FIELD_SLOT,
	.slot = slot_code_page_size, .format = format_page_size, .type = VIEW_NUMBER, .unit = "bytes",
	.zero_is_absent = true, .help = "size of the page the code is in" };

static u64 slot_data_page_size(const struct resolved_sample *rs)
{
	return rs->sample->data_page_size;
}

const struct field field_data_page_size = { .name = "data_page_size", .title = "Data Page Size", .kind = FIELD_SLOT,
	.width = 22, .slot = slot_data_page_size, .format = format_page_size, .type = VIEW_NUMBER, .unit = "bytes",
	.zero_is_absent = true, .help = "size of the page the data is in" };

static u64 slot_transaction(const struct resolved_sample *rs)
{
	return rs->sample->transaction;
}

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

const struct field field_transaction = { .name = "transaction", .title = "Transaction", .kind = FIELD_SLOT,
	.slot = slot_transaction, .format = format_transaction, .help = "flags of a transactional-memory abort" };
