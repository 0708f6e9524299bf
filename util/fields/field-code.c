/* Fields: the code that ran: dso, symbol, offset, sizes. Keys are made once per distinct frame. */
#include "field-family.h"

#include <string.h>
#include "../resolve/names.h"
#include "../sym/sym.h"

static const struct frame *frame_at(const struct field_ctx *ctx, u32 frame)
{
	return &ctx->names->frame.v[frame];
}

static const struct dso *dso_of(const struct field_ctx *ctx, u32 frame)
{
	return dsos_at(machine_dsos(ctx->machine), frame_at(ctx, frame)->dso);
}

static const char *shown_file(const struct field_ctx *ctx, const struct dso *dso)
{
	return !dso ? "[unknown]" : ctx->verbose > 0 ? dso_path(dso) : dso->short_name;
}

/* of a frame without a symbol */
static u64 shown_addr(const struct field_ctx *ctx, u32 frame)
{
	return dso_shown_addr(dso_of(ctx, frame), frame_at(ctx, frame)->addr);
}

u64 frame_dso(const struct field_ctx *ctx, u32 frame)
{
	const struct dso *dso = dso_of(ctx, frame);
	u32 *known = &ctx->names->dso_text[dso ? dso->id : machine_dsos(ctx->machine)->dso.nr];

	/* most of a million frames are in a few files */
	if (!*known)
		*known = strtab_add(&ctx->names->texts, shown_file(ctx, dso)) + 1;
	return *known - 1;
}

/* frames in no dso come last */
static u64 prefix_dso(const struct field_ctx *ctx, u64 key)
{
	u64 prefix = prefix_text(ctx, key);

	return prefix == string_prefix("[unknown]") ? UINT64_MAX : prefix;
}

int cmp_dso(const struct field_ctx *ctx, u64 a, u64 b)
{
	u64 pa = prefix_dso(ctx, a), pb = prefix_dso(ctx, b);

	return pa != pb ? (pa < pb ? -1 : 1) : cmp_text(ctx, a, b);
}

int cmp_frame_files(const struct field_ctx *ctx, u32 a, u32 b)
{
	const struct dso *da = dso_of(ctx, a), *db = dso_of(ctx, b);

	if (!da || !db)
		return !da - !db;
	return cmp_strings(shown_file(ctx, da), shown_file(ctx, db));
}

int cmp_end_dso(const struct field_ctx *ctx, u64 a, u64 b)
{
	return cmp_dso(ctx, b, a);
}

/* an address has as many digits as there is room for in the column */
u32 length_dso(const struct field_ctx *ctx, u64 key, struct strbuf *scratch)
{
	const char *name = strtab_get(&ctx->names->texts, key);

	if (!strcmp(name, "[unknown]"))
		return 16;
	strbuf_reset(scratch);
	strbuf_add_safe(scratch, name);
	return scratch->len;
}

const struct field field_dso = { .name = "dso", .title = "Shared Object", .kind = FIELD_FRAME, .width = 13,
	.of_frame = frame_dso, .format = format_text, .cmp = cmp_text, .prefix = prefix_dso,
	.length = length_dso, .of_name = true, .help = "library, program or module that the code is in" };

u64 frame_symbol(const struct field_ctx *ctx, u32 frame)
{
	return ctx->names->named_of[frame];
}

static void add_level(struct strbuf *out, const struct frame *f)
{
	strbuf_add(out, (const char[]){ '[', frame_level(f), ']', ' ' }, 4);
}

static void add_address(struct strbuf *out, u64 addr)
{
	if (addr)
		strbuf_add(out, "0x", 2);
	strbuf_add_hex(out, addr, 16, '0');
}

void format_symbol(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	const struct named *nm = &ctx->names->named.v[key];
	const struct frame *f = frame_at(ctx, nm->frame);

	if (ctx->verbose > 0) {
		const struct symtab *t = nm->dso == ID_NONE ? NULL :
					 symbols_table(ctx->symbols, nm->dso);

		strbuf_addf(out, "%#-18lx %c ", f->addr, t && t->source ? t->source : '!');
	}
	add_level(out, f);
	if (nm->name)
		strbuf_add_safe(out, nm->name);
	else
		add_address(out, shown_addr(ctx, nm->frame));
}

int cmp_symbol(const struct field_ctx *ctx, u64 a, u64 b)
{
	const struct named *na = &ctx->names->named.v[a], *nb = &ctx->names->named.v[b];
	u64 fa, fb;

	if (na->name && nb->name)
		return cmp_strings(na->name, nb->name);
	if (na->name || nb->name)
		return na->name ? -1 : 1;
	fa = shown_addr(ctx, na->frame);
	fb = shown_addr(ctx, nb->frame);
	return fa < fb ? -1 : fa > fb;
}

int settle_frames(const struct field_ctx *ctx, u64 a, u64 b)
{
	const struct frame *fa = frame_at(ctx, a), *fb = frame_at(ctx, b);

	if (fa->dso != fb->dso)
		return fa->dso < fb->dso ? -1 : 1;
	if (fa->addr != fb->addr)
		return fa->addr < fb->addr ? -1 : 1;
	return (fa->cpumode > fb->cpumode) - (fa->cpumode < fb->cpumode);
}

/* any frame of a name can be used: functions do not overlap */
int settle_symbols(const struct field_ctx *ctx, u64 a, u64 b)
{
	return settle_frames(ctx, ctx->names->named.v[a].frame, ctx->names->named.v[b].frame);
}

#define INLINED " (inlined)"

/* "[k] " and the name, without the remark after it; an address has 18 characters with its 0x */
u32 length_symbol(const struct field_ctx *ctx, u64 key, struct strbuf *scratch)
{
	const struct named *nm = &ctx->names->named.v[key];
	u32 len;

	if (ctx->verbose <= 0 && !nm->name)
		return 4 + 18;
	strbuf_reset(scratch);
	format_symbol(ctx, key, scratch);
	len = scratch->len;
	if (len > strlen(INLINED) && !strcmp(scratch->buf + len - strlen(INLINED), INLINED))
		len -= strlen(INLINED);
	return len;
}

/* names before addresses without name */
u64 prefix_symbol(const struct field_ctx *ctx, u64 key)
{
	const struct named *nm = &ctx->names->named.v[key];

	if (nm->name)
		return string_prefix(nm->name) >> 1;
	return 1ull << 63 | shown_addr(ctx, nm->frame) >> 1;
}

bool bare_symbol(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	const struct named *nm = &ctx->names->named.v[key];

	if (nm->name)
		strbuf_addstr(out, nm->name);
	else
		strbuf_addf(out, "no symbol at %#lx", shown_addr(ctx, nm->frame));
	return nm->name;
}

const struct field field_symbol = { .name = "symbol", .title = "Symbol", .kind = FIELD_FRAME, .width = 6,
	.needs = NEEDS_SYM, .of_frame = frame_symbol, .format = format_symbol, .cmp = cmp_symbol,
	.settle = settle_symbols, .prefix = prefix_symbol,
	.length = length_symbol, .bare_name = bare_symbol,
	.no_pad = true,
	.of_name = true, .is_name = true, .help = "function" };

u64 frame_itself(const struct field_ctx *ctx, u32 frame)
{
	return frame;
}

static const struct symbol *symbol_of_frame(const struct field_ctx *ctx, u32 frame)
{
	const struct named *nm = &ctx->names->named.v[ctx->names->named_of[frame]];

	return nm->name ? &symbols_table(ctx->symbols, nm->dso)->sym[nm->sym] : NULL;
}

void format_frame(const struct field_ctx *ctx, u32 frame, bool always_offset, struct strbuf *out)
{
	const struct named *nm = &ctx->names->named.v[ctx->names->named_of[frame]];
	const struct frame *f = frame_at(ctx, frame);
	const struct symbol *sym = symbol_of_frame(ctx, frame);

	add_level(out, f);
	if (sym) {
		strbuf_add_safe(out, nm->name);
		if (always_offset || f->addr != sym->start)
			strbuf_addf(out, "+0x%lx", f->addr - sym->start);
	} else {
		add_address(out, shown_addr(ctx, frame));
	}
}

static void format_symoff(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	format_frame(ctx, key, true, out);
}

/* largest addresses first */
static int cmp_symoff(const struct field_ctx *ctx, u64 a, u64 b)
{
	u64 fa = frame_at(ctx, a)->addr, fb = frame_at(ctx, b)->addr;
	int ret = cmp_symbol(ctx, ctx->names->named_of[a], ctx->names->named_of[b]);

	return ret ? ret : (fa < fb) - (fa > fb);
}

const struct field field_symoff = { .name = "symoff", .title = "Symbol Offset", .kind = FIELD_FRAME,
	.needs = NEEDS_SYM, .of_frame = frame_itself, .format = format_symoff, .cmp = cmp_symoff,
	.settle = settle_frames, .no_pad = true, .is_frame = true,
	.help = "function and offset in it" };

static u64 frame_symbol_size(const struct field_ctx *ctx, u32 frame)
{
	const struct symbol *sym = symbol_of_frame(ctx, frame);

	return sym ? sym->end - sym->start : 0;
}

static void format_size(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	if (key)
		strbuf_add_u64(out, key, 0);
	else
		strbuf_addstr(out, "unknown");
}

const struct field field_symbol_size = { .name = "symbol_size", .title = "Symbol size", .kind = FIELD_FRAME,
	.needs = NEEDS_SYM, .of_frame = frame_symbol_size, .format = format_size, .type = VIEW_NUMBER,
	.unit = "bytes", .zero_is_absent = true, .right = true,
	.of_name = true, .help = "size of the function in bytes" };

static u64 frame_dso_size(const struct field_ctx *ctx, u32 frame)
{
	const struct dso *dso = dsos_at(machine_dsos(ctx->machine), frame_at(ctx, frame)->dso);

	if (!dso)
		return 0;
	/* processes can have it mapped at different addresses, and it is the range of all */
	return dso->kind == DSO_BPF ? dso->text_end - dso->text_start : dso->map_size;
}

const struct field field_dso_size = { .name = "dso_size", .title = "DSO size", .kind = FIELD_FRAME,
	.of_frame = frame_dso_size, .format = format_size, .type = VIEW_NUMBER, .unit = "bytes",
	.zero_is_absent = true, .right = true, .of_name = true, .help = "size of the mapped code in bytes" };

static u64 slot_parent(const struct resolved_sample *rs)
{
	return 0;	/* known when chains have names: see callers_apply() */
}

/* of equal rows, those without a parent come last */
static int cmp_parent(const struct field_ctx *ctx, u64 a, u64 b)
{
	return cmp_text(ctx, b, a);
}

const struct field field_parent = { .name = "parent", .title = "Parent symbol", .kind = FIELD_SLOT,
	.width = 13, .needs = NEEDS_SYM, .slot = slot_parent, .format = format_text, .cmp = cmp_parent,
	.help = "caller that matches --parent" };
