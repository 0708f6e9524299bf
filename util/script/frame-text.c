/* Frames as text: the lines of one address. */
#include "frame-text.h"

#include <string.h>
#include "../base/digits.h"
#include "frame-cells.h"

/* the text after the address: up to the offset, and from there on */
static void text_head(struct frame_cache *c, const struct resolved_frame *f, u32 what, struct strbuf *out)
{
	if (!(what & FRAME_SYM))
		return;
	strbuf_addch(out, ' ');
	frame_put_sym(c, f, false, out);
	if (f->sym && what & FRAME_SYMOFF)
		strbuf_addstr(out, "+0x");
}

static void text_tail(struct frame_cache *c, const struct resolved_frame *f, u32 what, struct strbuf *out)
{
	if (what & FRAME_DSO)
		frame_put_dso(c, f, what & FRAME_DSOFF, out);
	if (what & FRAME_LINE)
		strbuf_addch(out, '\n');
}

/* len bytes, and some after them that do not matter */
static char *put_pieces(char *p, const char *text, u32 len)
{
	for (u32 i = 0; i < len; i += TEXT_SLACK)
		memcpy(p + i, text + i, TEXT_SLACK);
	return p + len;
}

void frame_put_line(const struct frame_cache *c, u64 ip, u32 what, const struct frame_text *t, u64 dso_addr,
		    struct strbuf *out)
{
	char *p;

	if (what & FRAME_CELLS) {
		frame_cells_line(c, ip, what, t, dso_addr, out);
		return;
	}
	p = strbuf_room(out, t->name_len + t->tail_len + 34 + 2 * TEXT_SLACK);

	*p++ = what & FRAME_LINE ? '\t' : ' ';
	p = put_hex16(p, ip);
	if (t->offset) {
		p = put_pieces(p, t->text, t->name_len);
		p = put_hex_spilling(p, dso_addr - t->start);
		p = put_pieces(p, t->text + t->name_len, t->tail_len);
	} else {
		p = put_pieces(p, t->text, t->name_len + t->tail_len);
	}
	*p = '\0';
	out->len = p - out->buf;
}

static void put_srcline(const struct frame_cache *c, const char *file, u32 line, struct strbuf *out)
{
	const char *base = file && !c->opts->full_source_path ? strrchr(file, '/') : NULL;

	if (!file)
		return;
	strbuf_addstr(out, "\n  ");
	strbuf_add_safe(out, base ? base + 1 : file);
	strbuf_addch(out, ':');
	strbuf_add_u64(out, line, 0);
}

/* an address that no debug information knows: "libc.so.6[28f0a]", as linked */
static void put_no_srcline(const struct frame_cache *c, const struct resolved_frame *f, struct strbuf *out)
{
	const struct dso *d = dsos_at(machine_dsos(c->s->machine), f->loc.dso);

	strbuf_addstr(out, "\n  ");
	strbuf_add_safe(out, d->short_name);
	strbuf_addch(out, '[');
	strbuf_add_hex(out, symbols_off_to_svma(c->s->symbols, f->loc.dso,
						dso_shown_addr(d, f->loc.dso_addr)), 0, ' ');
	strbuf_addch(out, ']');
}

void frame_put_lines(struct frame_cache *c, const struct resolved_frame *f, u32 what,
		     const struct frame_text *t, struct strbuf *out)
{
	const struct line_info *info = t->info;

	if (what & FRAME_CELLS) {
		frame_cells_lines(c, f, what, t, out);
		return;
	}
	for (u32 i = 0; what & FRAME_INLINE && i < info->nr_inlined; i++) {
		const struct line_call *call = &info->inlined[i];
		char *p;

		/* a function inlined into a copy of itself is shown as that copy */
		if (f->sym && !strcmp(call->name, frame_name(c, f))) {
			frame_put_line(c, f->ip, what, t, f->loc.dso_addr, out);
			if (what & FRAME_SRCLINE)
				put_srcline(c, call->file, call->line, out);
			strbuf_addch(out, '\n');
			continue;
		}
		p = strbuf_room(out, 18);
		*p = '\t';
		put_hex16(p + 1, f->ip);
		out->len += 17;
		if (what & FRAME_SYM) {
			strbuf_addch(out, ' ');
			strbuf_add_safe(out, *call->name ? call->name : "[unknown]");
		}
		if (t->offset) {
			strbuf_addstr(out, "+0x");
			strbuf_add_hex(out, f->loc.dso_addr - t->start, 0, ' ');
		}
		if (what & FRAME_SRCLINE)
			put_srcline(c, call->file, call->line, out);
		strbuf_addstr(out, " (inlined)\n");
	}
	frame_put_line(c, f->ip, what, t, f->loc.dso_addr, out);
	/* the line of the instruction itself */
	if (what & FRAME_SRCLINE && !(what & FRAME_INLINE) && info->nr_inlined)
		put_srcline(c, info->inlined[0].file, info->inlined[0].line, out);
	else if (what & FRAME_SRCLINE && info->file)
		put_srcline(c, info->file, info->line, out);
	else if (what & FRAME_SRCLINE)
		put_no_srcline(c, f, out);
	if (what & FRAME_LINE)
		strbuf_addch(out, '\n');
}

void frame_make_text(struct frame_cache *c, const struct resolved_frame *f, u32 what, struct frame_text *t)
{
	bool cells = what & FRAME_CELLS;

	strbuf_reset(&c->tmp);
	(cells ? frame_cells_head : text_head)(c, f, what, &c->tmp);
	t->name_len = MIN(c->tmp.len, (size_t)UINT16_MAX);
	(cells ? frame_cells_tail : text_tail)(c, f, what, &c->tmp);
	t->tail_len = MIN(c->tmp.len - t->name_len, (size_t)UINT16_MAX);
	strbuf_room(&c->tmp, TEXT_SLACK);
	t->text = strbuf_str(&c->tmp);
	t->offset = f->sym && what & FRAME_SYMOFF && what & FRAME_SYM;
	t->start = f->sym ? f->sym->start : 0;
}
