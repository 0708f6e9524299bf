/* Fields: one branch of a sample's branch stack: its source and target, and how it was predicted. */
#include "field-family.h"

#include <linux/perf_event.h>
#include "../resolve/names.h"
#include "../sym/sym.h"

#include <math.h>

u64 slot_block_end(const struct resolved_sample *rs)
{
	return rs->branch->from;
}

static u64 slot_from(const struct resolved_sample *rs)
{
	return rs->branch->from;
}

static u64 slot_to(const struct resolved_sample *rs)
{
	return rs->branch->to;
}

#define END_FIELD(id, end, head, made, shown, order, ...) \
const struct field field_##id = { .name = #id, .title = head, .kind = FIELD_SLOT, .address = ADDRESS_BRANCH, \
	.slot = slot_##end, .of_frame = made, .format = shown, .cmp = order, __VA_ARGS__ };

/* both ends of a branch */
#define END_FIELDS(id, made, shown, order, from_head, to_head, what, ...) \
END_FIELD(id##_from, from, from_head, made, shown, order, .help = what " that the branch left", __VA_ARGS__) \
END_FIELD(id##_to, to, to_head, made, shown, order, .help = what " that the branch went to", __VA_ARGS__)

END_FIELDS(dso, frame_dso, format_text, cmp_end_dso, "Source Shared Object", "Target Shared Object",
	   "library or program", .needs = NEEDS_BRANCH)

/* functions by their addresses, those of the kernel first, then addresses without a name */
static u64 place_order(const struct field_ctx *ctx, u64 named)
{
	const struct named *nm = &ctx->names->named.v[named];
	const struct symtab *t = nm->name ? symbols_table(ctx->symbols, nm->dso) : NULL;
	u64 start = t ? t->sym[nm->sym].start : ctx->names->frame.v[nm->frame].ip;

	return (t ? 0 : 1ull << 63) | (start ^ 1ull << 63) >> 1;
}

static int cmp_end_symbol(const struct field_ctx *ctx, u64 a, u64 b)
{
	u64 oa = place_order(ctx, a), ob = place_order(ctx, b);

	return oa < ob ? -1 : oa > ob ? 1 : cmp_symbol(ctx, a, b);
}

END_FIELDS(symbol, frame_symbol, format_symbol, cmp_end_symbol, "Source Symbol", "Target Symbol", "function",
	   .needs = NEEDS_BRANCH | NEEDS_SYM, .prefix = place_order, .settle = settle_symbols,
	   .length = length_symbol, .bare_name = bare_symbol, .no_pad = true)
END_FIELDS(srcline, frame_srcline, format_text, cmp_text, "From Source:Line", "To Source:Line",
	   "source file and line", .needs = NEEDS_BRANCH | NEEDS_SYM | NEEDS_SRCLINE, .prefix = prefix_text)

static void format_addr_end(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	format_frame(ctx, key, false, out);
}

static int cmp_end_addr(const struct field_ctx *ctx, u64 a, u64 b)
{
	const struct frame *fa = &ctx->names->frame.v[a], *fb = &ctx->names->frame.v[b];
	int ret = cmp_frame_files(ctx, b, a);

	return ret ? ret : fa->addr < fb->addr ? -1 : fa->addr > fb->addr;
}

END_FIELDS(addr, frame_itself, format_addr_end, cmp_end_addr, "Source Address", "Target Address", "address",
	   .needs = NEEDS_BRANCH | NEEDS_SYM, .settle = settle_frames, .no_pad = true)

#define MAX_BLOCK (1u << 20)	/* bytes */

/*
 * The code between two branches: from the target of the earlier to the source of the later one, which has its
 * cycles. Unknown for the oldest branch, and if only some kinds of branches were recorded: 0
 */
u64 slot_block_start(const struct resolved_sample *rs)
{
	const struct sample *s = rs->sample;
	const struct branch_entry *b = rs->branch, *before = b + 1;

	if (before >= s->branches + s->nr_branches ||
	    !(s->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY))
		return 0;
	return before->to <= b->from && b->from - before->to < MAX_BLOCK ? before->to : 0;
}

static u64 frame_block(const struct field_ctx *ctx, u32 frame)
{
	const struct frame *f = &ctx->names->frame.v[frame];

	return f->dso == ID_NONE && !f->ip ? strtab_add(&ctx->names->texts, "-") : frame_srcline(ctx, frame);
}

#define BLOCK_FIELD(id, head, what) \
const struct field field_##id = { .name = #id, .title = head, .kind = FIELD_SLOT, .address = ADDRESS_BRANCH, \
	.slot = slot_##id, .of_frame = frame_block, .format = format_text, .cmp = cmp_text, \
	.prefix = prefix_text, .needs = NEEDS_BRANCH | NEEDS_SYM | NEEDS_SRCLINE, .help = what };

BLOCK_FIELD(block_start, "Block Start", "source line or place where the basic block begins")
BLOCK_FIELD(block_end, "Block End", "source line or place of the branch that ends the basic block")

/* flags: see struct branch_entry */
static u64 slot_prediction(const struct resolved_sample *rs)
{
	return rs->branch->flags & (BRANCH_MISPRED | BRANCH_PREDICTED);
}

static void format_prediction(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	strbuf_addstr(out, key & BRANCH_PREDICTED ? "N" : key & BRANCH_MISPRED ? "Y" : "N/A");
}

const struct field field_mispredict = { .name = "mispredict", .title = "Branch Mispredicted",
	.kind = FIELD_SLOT, .needs = NEEDS_BRANCH, .slot = slot_prediction, .format = format_prediction,
	.help = "N: the branch was predicted, Y: mispredicted, N/A: not known" };

/* a bit of the flags, shown as a letter */
#define FLAG_FIELD(id, bit, letter, head, what) \
static u64 slot_##id(const struct resolved_sample *rs) \
{ \
	return rs->branch->flags & (bit); \
} \
static void format_##id(const struct field_ctx *ctx, u64 key, struct strbuf *out) \
{ \
	strbuf_addch(out, key ? letter : '.'); \
} \
const struct field field_##id = { .name = #id, .title = head, .kind = FIELD_SLOT, .needs = NEEDS_BRANCH, \
	.slot = slot_##id, .format = format_##id, .cmp = cmp_descending, .help = what };

FLAG_FIELD(abort, BRANCH_ABORT, 'A', "Transaction abort", "A: the branch is a transaction's abort")
FLAG_FIELD(in_tx, BRANCH_IN_TX, 'T', "Branch in transaction", "T: the branch is in a transaction")

static u64 slot_cycles(const struct resolved_sample *rs)
{
	return BRANCH_CYCLES(rs->branch->flags);
}

static void format_cycles(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	if (key)
		strbuf_add_u64(out, key, 0);
	else
		strbuf_addch(out, '-');
}

const struct field field_cycles = { .name = "cycles", .title = "Basic Block Cycles", .kind = FIELD_SLOT,
	.needs = NEEDS_BRANCH, .slot = slot_cycles, .type = VIEW_NUMBER, .zero_is_absent = true,
	.format = format_cycles, .cmp = cmp_descending,
	.help = "cycles since the branch before it" };

static u64 frame_named(const struct field_ctx *ctx, u32 frame)
{
	return ctx->names->named_of[frame];
}

static double real_ipc(const struct field_ctx *ctx, u64 key)
{
	const struct named_ipc *ipc = ctx->names->ipc ? &ctx->names->ipc[key] : NULL;

	return ipc && ipc->cycles ? (double)ipc->insns / ipc->cycles : NAN;
}

static void format_ipc(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	const struct named_ipc *ipc = ctx->names->ipc ? &ctx->names->ipc[key] : NULL;

	if (ipc && ipc->cycles)
		strbuf_addf(out, "%-5.2f [%5.1f%%]", real_ipc(ctx, key), 100.0 * ipc->covered / ipc->all);
	else
		strbuf_addf(out, "%-6s -", "-");
}

/* the function is that of the row's code: where branches went */
const struct field field_ipc_lbr = { .name = "ipc_lbr", .title = "IPC   [IPC Coverage]", .kind = FIELD_FRAME,
	.width = 20, .needs = NEEDS_BRANCH | NEEDS_SYM | NEEDS_IPC, .of_frame = frame_named,
	.format = format_ipc, .cmp = cmp_symbol, .settle = settle_symbols, .prefix = prefix_symbol,
	.type = VIEW_REAL, .real_key = real_ipc, .no_pad = true, .of_name = true,
	.help = "instructions per cycle of the function to which branches went, and the share known" };
