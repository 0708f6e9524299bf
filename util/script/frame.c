/* Frames: places, symbols and names of addresses. */
#include "frame.h"

#include <stdlib.h>
#include <string.h>

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
