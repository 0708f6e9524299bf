/*
 * Fields: a memory access: its data, and where it came from. With --mem-mode, samples count by their weights.
 */
#include "field-family.h"

#include <elf.h>
#include "../event/data-src.h"
#include "../resolve/names.h"
#include "../sym/sym.h"

#define MEM_CACHE_LINE 64u

/* one part of the data source, and its words */
#define PART(id, bits, words, head, least, pad, what) \
static u64 slot_##id(const struct resolved_sample *rs) \
{ \
	return rs->sample->data_src & (bits); \
} \
static void format_##id(const struct field_ctx *ctx, u64 key, struct strbuf *out) \
{ \
	words(out, key); \
} \
const struct field field_##id = { .name = #id, .title = head, .kind = FIELD_SLOT, .needs = NEEDS_MEM, \
	.sample = PERF_SAMPLE_DATA_SRC, .width = least, .no_pad = !pad, .slot = slot_##id, \
	.format = format_##id, .help = what };

PART(mem, DATA_SRC_LEVEL, data_src_level, "Memory access", 39, true,
     "which cache or memory the data came from")
PART(snoop, DATA_SRC_SNOOP, data_src_snoop, "Snoop", 12, true, "what other caches were asked and had")
PART(tlb, DATA_SRC_TLB, data_src_tlb, "TLB access", 22, true, "how the address was translated")
PART(locked, DATA_SRC_LOCK, data_src_lock, "Locked", 6, false, "whether the access was a locked one")
PART(blocked, DATA_SRC_BLOCK, data_src_blocked, "Blocked", 10, false, "what a load had to wait for")

static u64 slot_data(const struct resolved_sample *rs)
{
	return rs->sample->addr;
}

static u64 slot_line(const struct resolved_sample *rs)
{
	return rs->sample->addr & ~(u64)(MEM_CACHE_LINE - 1);
}

static const struct frame *frame_at(const struct field_ctx *ctx, u64 key)
{
	return &ctx->names->frame.v[key];
}

static const struct named *named_at(const struct field_ctx *ctx, u64 key)
{
	return &ctx->names->named.v[ctx->names->named_of[key]];
}

/* "[.] table+0x8"; for functions without the offset; addresses without a name are shown by unnamed */
static void format_at(const struct field_ctx *ctx, u64 key, char level, u64 unnamed, struct strbuf *out)
{
	const struct named *nm = named_at(ctx, key);
	const struct symbol *sym;

	strbuf_addf(out, "[%c] ", level);
	if (!nm->name) {
		strbuf_addstr(out, unnamed ? "0x" : "");
		strbuf_add_hex(out, unnamed, 16, '0');
		return;
	}
	sym = &symbols_table(ctx->symbols, nm->dso)->sym[nm->sym];
	strbuf_add_safe(out, nm->name);
	if (sym->type == STT_OBJECT)
		strbuf_addf(out, "+0x%lx", frame_at(ctx, key)->addr - sym->start);
}

static void format_addressed(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	const struct frame *f = frame_at(ctx, key);

	format_at(ctx, key, frame_level(f), f->ip, out);
}

/* the column has room for a name with its offset */
static u32 length_addressed(const struct field_ctx *ctx, u64 key, struct strbuf *scratch)
{
	const struct named *nm = named_at(ctx, key);

	if (!nm->name)
		return 4 + 18;
	strbuf_reset(scratch);
	strbuf_add_safe(scratch, nm->name);
	return 4 + scratch->len + 18;
}

/* sorts by run-time address, those of the kernel first */
static int cmp_addressed(const struct field_ctx *ctx, u64 a, u64 b)
{
	s64 ia = frame_at(ctx, a)->ip, ib = frame_at(ctx, b)->ip;

	return (ia > ib) - (ia < ib);
}

const struct field field_symbol_daddr = { .name = "symbol_daddr", .title = "Data Symbol", .kind = FIELD_SLOT,
	.address = ADDRESS_DATA, .sample = PERF_SAMPLE_ADDR,
	.needs = NEEDS_MEM | NEEDS_SYM, .slot = slot_data, .of_frame = frame_itself,
	.format = format_addressed, .length = length_addressed, .cmp = cmp_addressed,
	.settle = settle_frames, .help = "data that was accessed" };

const struct field field_symbol_iaddr = { .name = "symbol_iaddr", .title = "Code Symbol", .kind = FIELD_FRAME,
	.needs = NEEDS_MEM | NEEDS_SYM, .of_frame = frame_itself, .is_frame = true,
	.format = format_addressed, .length = length_addressed, .cmp = cmp_addressed, .settle = settle_frames,
	.help = "function of the access, each address a row of its own" };

const struct field field_dso_daddr = { .name = "dso_daddr", .title = "Data Object", .kind = FIELD_SLOT,
	.address = ADDRESS_DATA, .sample = PERF_SAMPLE_ADDR,
	.needs = NEEDS_MEM, .slot = slot_data, .of_frame = frame_dso,
	.format = format_text, .length = length_dso, .cmp = cmp_end_dso,
	.help = "program, library or memory that the data is in" };

/* X: it is not known that something is mapped there */
static void format_line(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	const struct frame *f = frame_at(ctx, key);

	format_at(ctx, key, f->dso == ID_NONE ? 'X' : frame_level(f), f->addr, out);
}

/* addresses where nothing is mapped come first, then by address */
static int cmp_line(const struct field_ctx *ctx, u64 a, u64 b)
{
	const struct frame *fa = frame_at(ctx, a), *fb = frame_at(ctx, b);

	if ((fa->dso == ID_NONE) != (fb->dso == ID_NONE))
		return fa->dso == ID_NONE ? -1 : 1;
	return (fa->ip > fb->ip) - (fa->ip < fb->ip);
}

static u32 length_line(const struct field_ctx *ctx, u64 key, struct strbuf *scratch)
{
	u32 len = length_addressed(ctx, key, scratch);

	return named_at(ctx, key)->name ? len + 1 : len;
}

const struct field field_dcacheline = { .name = "dcacheline", .title = "Data Cacheline", .kind = FIELD_SLOT,
	.address = ADDRESS_DATA, .sample = PERF_SAMPLE_ADDR,
	.needs = NEEDS_MEM | NEEDS_SYM, .slot = slot_line, .of_frame = frame_itself,
	.format = format_line, .length = length_line, .cmp = cmp_line,
	.settle = settle_frames, .no_pad = true,
	.help = "cache line of the data: 64 bytes" };
