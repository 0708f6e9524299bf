/* Fields: source lines and files of addresses. Keys are texts, made once per distinct frame. */
#include "field-family.h"

#include <string.h>
#include "../sym/lines.h"
#include "../resolve/names.h"

/* the line of the instruction itself: in the innermost function that is inlined there */
struct source_line {
	const char *file;	/* NULL: not known */
	u32 line;
};

static const struct line_info *info_of(const struct field_ctx *ctx, const struct frame *f)
{
	if (!ctx->names->lines || f->dso == ID_NONE)
		return NULL;
	return lines_find(ctx->names->lines, f->dso, frame_code(ctx->symbols, f));
}

static struct source_line place_of(const struct field_ctx *ctx, const struct frame *f)
{
	const struct line_info *info = info_of(ctx, f);

	if (!info)
		return (struct source_line){ NULL, 0 };
	if (info->nr_inlined)
		return (struct source_line){ info->inlined[0].file, info->inlined[0].line };
	return (struct source_line){ info->file, info->line };
}

static const char *shown_path(const struct field_ctx *ctx, const char *path)
{
	const char *slash = ctx->names->full_path ? NULL : strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static bool add_place(const struct field_ctx *ctx, struct source_line place, struct strbuf *out)
{
	if (place.file)
		strbuf_addf(out, "%s:%u", shown_path(ctx, place.file), place.line);
	return place.file != NULL;
}

bool frame_line(const struct field_ctx *ctx, u32 frame, struct strbuf *out)
{
	return add_place(ctx, place_of(ctx, &ctx->names->frame.v[frame]), out);
}

bool frame_line_in_function(const struct field_ctx *ctx, u32 frame, struct strbuf *out)
{
	const struct line_info *info = info_of(ctx, &ctx->names->frame.v[frame]);
	u32 depth = names_inline_depth(ctx->names, frame);

	if (!info)
		return false;
	/* outermost first; one without a name has no frame */
	for (u32 k = info->nr_inlined; depth && k-- > 0;)
		if (info->inlined[k].name && *info->inlined[k].name && !--depth)
			return add_place(ctx, (struct source_line){ info->inlined[k].file,
								    info->inlined[k].line }, out);
	return !depth && add_place(ctx, (struct source_line){ info->file, info->line }, out);
}

/* "file.c:12"; if it is not known "function+38", or "object[1a2b]" as linked */
u64 frame_srcline(const struct field_ctx *ctx, u32 frame)
{
	const struct frame *f = &ctx->names->frame.v[frame];
	const struct named *nm = &ctx->names->named.v[ctx->names->named_of[frame]];
	const struct dso *dso = dsos_at(machine_dsos(ctx->machine), f->dso);
	const struct symbols *symbols = ctx->symbols;
	struct strbuf text = STRBUF_INIT;
	u64 key;

	if (frame_line(ctx, frame, &text))
		goto out;
	if (dso && nm->name)
		strbuf_addf(&text, "%s+%lu", nm->name,
			    f->addr - symbols_table(symbols, nm->dso)->sym[nm->sym].start);
	else if (dso)
		strbuf_addf(&text, "%s[%lx]", dso->short_name,
			    symbols_off_to_svma(symbols, f->dso, dso_shown_addr(dso, f->addr)));
	else
		strbuf_addstr(&text, "??:0");
out:
	key = strtab_add(&ctx->names->texts, strbuf_str(&text));
	strbuf_release(&text);
	return key;
}

const struct field field_srcline = { .name = "srcline", .title = "Source:Line", .kind = FIELD_FRAME,
	.width = 11, .needs = NEEDS_SYM | NEEDS_SRCLINE, .of_frame = frame_srcline, .format = format_text,
	.cmp = cmp_text, .prefix = prefix_text, .no_pad = true, .help = "source file and line" };

static u64 frame_srcfile(const struct field_ctx *ctx, u32 frame)
{
	struct source_line place = place_of(ctx, &ctx->names->frame.v[frame]);

	return strtab_add(&ctx->names->texts, place.file ? shown_path(ctx, place.file) : "");
}

const struct field field_srcfile = { .name = "srcfile", .title = "Source File", .kind = FIELD_FRAME,
	.width = 11, .needs = NEEDS_SYM | NEEDS_SRCLINE, .of_frame = frame_srcfile, .format = format_text,
	.cmp = cmp_text, .prefix = prefix_text, .no_pad = true, .help = "source file" };
