/* Fields: numbers that a sample carries: weights, addresses, page sizes, transactions. */
#include "field-internal.h"

static void format_u64(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	strbuf_add_u64(out, key, 0);
}

static void format_hex18(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	strbuf_addf(out, "%#lx", key);
}

static u64 slot_weight(const struct hit *hit)
{
	return hit->sample->weight;
}

const struct field field_local_weight = { .name = "local_weight", .title = "Local Weight", .kind = FIELD_SLOT, .width = 12,
	.slot = slot_weight, .format = format_u64, .cmp = cmp_descending, .help = "weight of each sample" };

const struct field field_weight = { .name = "weight", .title = "Weight", .kind = FIELD_SLOT, .width = 12,
	.slot = slot_weight, .format = format_u64, .cmp = cmp_descending, .help = "weight" };

static u64 slot_addr(const struct hit *hit)
{
	return hit->branch ? hit->branch->to : hit->sample->ip;
}

/* kernel addresses first */
static int cmp_addr(const struct field_ctx *ctx, u64 a, u64 b)
{
	return ((s64)a > (s64)b) - ((s64)a < (s64)b);
}

const struct field field_addr = { .name = "addr", .title = "Address", .kind = FIELD_SLOT, .width = 18,
	.slot = slot_addr, .format = format_hex18, .cmp = cmp_addr, .help = "run-time address of the code" };

static u64 slot_phys_daddr(const struct hit *hit)
{
	return hit->sample->phys_addr;
}

const struct field field_phys_daddr = { .name = "phys_daddr", .title = "Data Physical Address", .kind = FIELD_SLOT,
	.width = 21, .slot = slot_phys_daddr, .format = format_hex18, .help = "physical address of the data" };

/* 4K, 2M, 1G: the largest unit that divides it */
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

static u64 slot_code_page_size(const struct hit *hit)
{
	return hit->sample->code_page_size;
}

const struct field field_code_page_size = { .name = "code_page_size", .title = "Code Page Size", .kind = FIELD_SLOT,
	.slot = slot_code_page_size, .format = format_page_size, .help = "size of the page the code is in" };

static u64 slot_data_page_size(const struct hit *hit)
{
	return hit->sample->data_page_size;
}

const struct field field_data_page_size = { .name = "data_page_size", .title = "Data Page Size", .kind = FIELD_SLOT,
	.slot = slot_data_page_size, .format = format_page_size, .help = "size of the page the data is in" };

static u64 slot_transaction(const struct hit *hit)
{
	return hit->sample->transaction;
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
