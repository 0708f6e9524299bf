/* Frames as text: places, symbols, names, and the lines of one address. */
#include "frame-private.h"

#include <stdlib.h>
#include <string.h>
#include "../base/digits.h"

#define NAMES_MAX (4u << 20)

/* a sample in the kernel may have touched user memory, and the other way round */
static struct loc locate_data(struct frame_cache *c, const struct sample_ctx *at, u8 cpumode, u64 addr)
{
	struct loc loc = locator_find(c->locator, at, cpumode, addr);

	if (loc.dso == ID_NONE)
		loc = locator_find(c->locator, at, CPUMODE_USER, addr);
	if (loc.dso == ID_NONE)
		loc = locator_find(c->locator, at, CPUMODE_KERNEL, addr);
	return loc;
}

bool frame_find_symbol(struct frame_cache *c, struct resolved_frame *f)
{
	if (f->loc.dso == ID_NONE)
		return true;
	if (!c->loaded[f->loc.dso]) {
		c->want[f->loc.dso] = 1;
		c->blocked = true;
		return false;
	}
	f->code = f->loc.dso_addr;
	f->sym_idx = f->caller ? symbols_find_call(c->s->symbols, f->loc.dso, f->loc.dso_addr, &f->code) :
		     symbols_find_idx(c->s->symbols, f->loc.dso, f->loc.dso_addr);
	if (f->sym_idx != ID_NONE)
		f->sym = &symbols_table(c->s->symbols, f->loc.dso)->sym[f->sym_idx];
	return true;
}

struct loc frame_locate(struct frame_cache *c, const struct sample_ctx *at, u8 cpumode, u64 ip, bool data)
{
	return data ? locate_data(c, at, cpumode, ip) : locator_find(c->locator, at, cpumode, ip);
}

bool frame_resolve(struct frame_cache *c, const struct sample_ctx *at, u8 cpumode, u64 ip, bool data,
		   struct resolved_frame *out)
{
	*out = (struct resolved_frame){ .ip = ip, .sym_idx = ID_NONE };
	out->loc = frame_locate(c, at, cpumode, ip, data);
	return frame_find_symbol(c, out);
}

bool frame_resolve_at(struct frame_cache *c, const struct frame_at *at, struct resolved_frame *out)
{
	*out = (struct resolved_frame){ .ip = at->ip, .sym_idx = ID_NONE, .caller = at->caller };
	out->loc = locator_find(c->locator, at->ctx, at->cpumode, at->ip);
	return frame_find_symbol(c, out);
}

const char *frame_name(struct frame_cache *c, const struct resolved_frame *f)
{
	if (!f->sym)
		return NULL;
	if (c->names.total > NAMES_MAX)
		arena_release(&c->names);
	return symbols_name(c->s->symbols, f->loc.dso, f->sym_idx, &c->names);
}

void frame_put_sym(struct frame_cache *c, const struct resolved_frame *f, bool offset, struct strbuf *out)
{
	if (!f->sym) {
		strbuf_addstr(out, "[unknown]");
		return;
	}
	strbuf_add_safe(out, frame_name(c, f));
	if (offset) {
		strbuf_addstr(out, "+0x");
		strbuf_add_hex(out, f->loc.dso_addr - f->sym->start, 0, ' ');
	}
}

/*
 * a module with its path from the build-id table; offsets are shown with it, because they count from the
 * start of a file
 */
static const char *dso_shown(const struct frame_cache *c, const struct dso *d, bool offset)
{
	if (d->kind == DSO_MODULE && !d->listed && !c->opts->show_kernel_path && !offset)
		return d->short_name;
	return dso_path(d);
}

const char *frame_dso_name(const struct frame_cache *c, const struct resolved_frame *f, bool offset)
{
	const struct dso *d = dsos_at(machine_dsos(c->s->machine), f->loc.dso);

	return d ? dso_shown(c, d, offset) : NULL;
}

void frame_put_dso(const struct frame_cache *c, const struct resolved_frame *f, bool offset,
		   struct strbuf *out)
{
	const struct dso *d = dsos_at(machine_dsos(c->s->machine), f->loc.dso);

	strbuf_addstr(out, " (");
	strbuf_add_safe(out, d ? dso_shown(c, d, offset) : "[unknown]");
	if (d && offset && d->kind != DSO_KERNEL && d->kind != DSO_GUEST_KERNEL) {
		strbuf_addstr(out, "+0x");
		strbuf_add_hex(out, dso_shown_addr(d, f->loc.dso_addr), 0, ' ');
	}
	strbuf_addch(out, ')');
}

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
		p = put_hex(p, dso_addr - t->start);
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
