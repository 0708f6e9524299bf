/* Frames as cells: ip, sym, symoff, dso, dsoff, srcline; inlined functions are rows of their own. */
#include "frame-cells.h"

#include <string.h>

/* a name that takes more, with what is escaped in it, is left out: two fit into the lengths of a text */
#define CELL_MAX 30000u

static void put_name(const struct frame_cache *c, const char *key, const char *name, const char *why,
		     struct strbuf *out)
{
	size_t start = out->len;

	if (!name)
		return stream_absent(c->format, out, key, why);
	stream_text(c->format, out, key, name);
	if (out->len - start <= CELL_MAX)
		return;
	strbuf_setlen(out, start);
	stream_absent(c->format, out, key, "the name is too long");
}

void frame_cells_head(struct frame_cache *c, const struct resolved_frame *f, u32 what, struct strbuf *out)
{
	if (what & FRAME_SYM)
		put_name(c, "sym", f->sym ? frame_name(c, f) : NULL,
			 f->loc.dso == ID_NONE ? "no map at this address" : "no symbol at this address", out);
}

void frame_cells_tail(struct frame_cache *c, const struct resolved_frame *f, u32 what, struct strbuf *out)
{
	const struct dso *d = dsos_at(machine_dsos(c->s->machine), f->loc.dso);

	if (what & FRAME_DSO)
		put_name(c, "dso", frame_dso_name(c, f, what & FRAME_DSOFF), "no map at this address", out);
	if (d && what & FRAME_DSOFF)
		stream_address(c->format, out, "dsoff", dso_shown_addr(d, f->loc.dso_addr));
	if (!d && what & FRAME_SRCLINE)
		stream_absent(c->format, out, "srcline", "no map at this address");
}

static void put_frame(const struct frame_cache *c, u64 ip, const struct frame_text *t, u64 dso_addr,
		      struct strbuf *out)
{
	stream_address(c->format, out, "ip", ip);
	strbuf_add(out, t->text, t->name_len);
	if (t->offset)
		stream_number(c->format, out, "symoff", dso_addr - t->start);
	strbuf_add(out, t->text + t->name_len, t->tail_len);
}

void frame_cells_line(const struct frame_cache *c, u64 ip, u32 what, const struct frame_text *t, u64 dso_addr,
		      struct strbuf *out)
{
	if (what & FRAME_LINE)
		c->format->begin_row(out);
	put_frame(c, ip, t, dso_addr, out);
	if (what & FRAME_LINE)
		c->format->end_row(out);
}

static void put_srcline(struct frame_cache *c, const char *file, u32 line, struct strbuf *out)
{
	const char *base = file && !c->opts->full_source_path ? strrchr(file, '/') : NULL;

	if (!file) {
		stream_absent(c->format, out, "srcline", "no debug information for this address");
		return;
	}
	strbuf_reset(&c->tmp);
	strbuf_addf(&c->tmp, "%s:%u", base ? base + 1 : file, line);
	stream_text(c->format, out, "srcline", strbuf_str(&c->tmp));
}

/* a function inlined into a copy of itself is shown as that copy */
static void put_inlined(struct frame_cache *c, const struct resolved_frame *f, u32 what,
			const struct frame_text *t, const struct line_call *call, struct strbuf *out)
{
	bool copy = f->sym && !strcmp(call->name, frame_name(c, f));

	c->format->begin_row(out);
	if (copy) {
		put_frame(c, f->ip, t, f->loc.dso_addr, out);
	} else {
		stream_address(c->format, out, "ip", f->ip);
		if (what & FRAME_SYM)
			put_name(c, "sym", *call->name ? call->name : NULL,
				 "its debug information has no name", out);
		if (t->offset)
			stream_number(c->format, out, "symoff", f->loc.dso_addr - t->start);
		strbuf_add(out, t->text + t->name_len, t->tail_len);
	}
	if (what & FRAME_SRCLINE)
		put_srcline(c, call->file, call->line, out);
	stream_bool(c->format, out, "inlined", true);
	c->format->end_row(out);
	c->format->next_row(out);
}

void frame_cells_lines(struct frame_cache *c, const struct resolved_frame *f, u32 what,
		       const struct frame_text *t, struct strbuf *out)
{
	const struct line_info *info = t->info;
	struct frame_text text = *t;
	struct strbuf copy = STRBUF_INIT;

	/* it may be in c->tmp, which names and source lines need */
	strbuf_add(&copy, t->text, t->name_len + t->tail_len);
	text.text = strbuf_str(&copy);
	for (u32 i = 0; what & FRAME_INLINE && i < info->nr_inlined; i++)
		put_inlined(c, f, what, &text, &info->inlined[i], out);
	if (what & FRAME_LINE)
		c->format->begin_row(out);
	put_frame(c, f->ip, &text, f->loc.dso_addr, out);
	if (what & FRAME_SRCLINE && !(what & FRAME_INLINE) &&
	    info->nr_inlined) /* the line of the instruction itself */
		put_srcline(c, info->inlined[0].file, info->inlined[0].line, out);
	else if (what & FRAME_SRCLINE)
		put_srcline(c, info->file, info->line, out);
	if (what & FRAME_LINE)
		c->format->end_row(out);
	strbuf_release(&copy);
}
