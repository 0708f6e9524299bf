/*
 * Frames as text. Two tables make the second time cheap: pages tell which map an address is in, suffixes hold the text behind
 * the hex digits by (dso, address in the dso), so that all processes which run a program share them.
 */
#include "frame.h"

#include <stdlib.h>
#include "../base/digits.h"

#define PAGE_SLOTS 8192u
#define PAGE_BITS 12
#define SLOTS_MIN 4096u
#define ARENA_MAX (64u << 20)

/* one page of an address space, wholly inside one map */
struct frame_page {
	u64 page;		/* ip >> PAGE_BITS */
	u64 key;		/* space << 8 | cpumode, plus 1 so that zeros are free */
	u64 from, to;		/* holds at times in (from, to): at the very edges file offsets decide */
	u64 delta;		/* dso address - ip */
	u32 dso;
};

struct frame_slot {
	u64 addr;		/* in the dso */
	u32 dso;
	u32 what;		/* FRAME_*; 0: free */
	const char *text;
	u32 len;
};

void frame_cache_init(struct frame_cache *c, const struct session *s, const struct frame_opts *opts, const u8 *loaded, u32 nr_dsos)
{
	*c = (struct frame_cache){ .s = s, .opts = opts, .loaded = loaded, .want = xcalloc(nr_dsos + 1, 1) };
	c->page = xcalloc(PAGE_SLOTS, sizeof(*c->page));
	c->mask = SLOTS_MIN - 1;
	c->slot = xcalloc(SLOTS_MIN, sizeof(*c->slot));
}

void frame_cache_release(struct frame_cache *c)
{
	free(c->slot);
	free(c->page);
	free(c->want);
	arena_release(&c->arena);
	strbuf_release(&c->tmp);
}

static u64 slot_hash(u64 addr, u32 dso, u32 what)
{
	return hash_u64(addr ^ (u64)dso << 48 ^ (u64)what << 40);
}

static void cache_clear(struct frame_cache *c)
{
	arena_release(&c->arena);
	memset(c->slot, 0, ((size_t)c->mask + 1) * sizeof(*c->slot));
	c->nr = 0;
}

static void cache_grow(struct frame_cache *c)
{
	struct frame_slot *old = c->slot;
	u32 old_nr = c->mask + 1;

	c->mask = old_nr * 2 - 1;
	c->slot = xcalloc((size_t)c->mask + 1, sizeof(*c->slot));
	for (u32 i = 0; i < old_nr; i++) {
		u64 h = slot_hash(old[i].addr, old[i].dso, old[i].what);

		if (!old[i].what)
			continue;
		while (c->slot[h & c->mask].what)
			h++;
		c->slot[h & c->mask] = old[i];
	}
	free(old);
}

/* a sample in the kernel may have touched user memory, and the other way round */
static struct loc locate_data(const struct frame_cache *c, const struct whence *at, u8 cpumode, u64 addr)
{
	struct loc loc = world_locate_data(c->s->world, at->space, cpumode, addr, at->time, at->off);

	if (loc.dso == WORLD_NONE)
		loc = world_locate_data(c->s->world, at->space, CPUMODE_USER, addr, at->time, at->off);
	if (loc.dso == WORLD_NONE)
		loc = world_locate_data(c->s->world, at->space, CPUMODE_KERNEL, addr, at->time, at->off);
	return loc;
}

/* finds the symbol of a located frame; false where its dso is not loaded yet */
static bool find_symbol(struct frame_cache *c, struct frame *f)
{
	if (f->loc.dso == WORLD_NONE)
		return true;
	if (!c->loaded[f->loc.dso]) {
		c->want[f->loc.dso] = 1;
		c->blocked = true;
		return false;
	}
	f->sym = symbols_find(c->s->symbols, f->loc.dso, f->loc.dso_addr);
	if (f->sym)
		f->name = symbols_show(c->s->symbols, f->loc.dso, f->sym, &c->arena);
	return true;
}

bool frame_resolve(struct frame_cache *c, const struct whence *at, u8 cpumode, u64 ip, bool data, struct frame *out)
{
	*out = (struct frame){ .ip = ip };
	if (data)
		out->loc = locate_data(c, at, cpumode, ip);
	else
		out->loc = world_locate(c->s->world, at->space, cpumode, ip, at->time, at->off);
	return find_symbol(c, out);
}

void frame_put_sym(const struct frame *f, bool offset, struct strbuf *out)
{
	if (!f->sym) {
		strbuf_addstr(out, "[unknown]");
		return;
	}
	strbuf_add_safe(out, f->name);
	if (offset) {
		strbuf_addstr(out, "+0x");
		strbuf_add_hex(out, f->loc.dso_addr - f->sym->start, 0, ' ');
	}
}

static const char *dso_shown(const struct frame_cache *c, const struct dso *d)
{
	if (d->kind == DSO_MODULE && !c->opts->show_kernel_path)
		return d->short_name;
	return d->long_name;
}

void frame_put_dso(const struct frame_cache *c, const struct frame *f, bool offset, struct strbuf *out)
{
	const struct dso *d = dsos_at(world_dsos(c->s->world), f->loc.dso);

	strbuf_addstr(out, " (");
	strbuf_add_safe(out, d ? dso_shown(c, d) : "[unknown]");
	if (d && offset && d->kind != DSO_KERNEL && d->kind != DSO_GUEST_KERNEL && d->kind != DSO_MODULE) {
		strbuf_addstr(out, "+0x");
		strbuf_add_hex(out, f->loc.dso_addr, 0, ' ');
	}
	strbuf_addch(out, ')');
}

/* what stands behind the address */
static void suffix_text(struct frame_cache *c, const struct frame *f, u32 what, struct strbuf *out)
{
	if (what & FRAME_SYM) {
		strbuf_addch(out, ' ');
		frame_put_sym(f, what & FRAME_SYMOFF, out);
	}
	if (what & FRAME_DSO)
		frame_put_dso(c, f, what & FRAME_DSOFF, out);
	if (what & FRAME_LINE)
		strbuf_addch(out, '\n');
}

static void put_line(u64 ip, u32 what, const char *text, size_t len, struct strbuf *out)
{
	char *p = strbuf_room(out, len + 17);

	*p++ = what & FRAME_LINE ? '\t' : ' ';
	p = put_hex16(p, ip);
	memcpy(p, text, len);
	p[len] = '\0';
	out->len += len + 17;
}

static void put_uncached(struct frame_cache *c, const struct frame *f, u32 what, struct strbuf *out)
{
	strbuf_reset(&c->tmp);
	suffix_text(c, f, what, &c->tmp);
	put_line(f->ip, what, strbuf_str(&c->tmp), c->tmp.len, out);
}

/* the suffix of an address whose place is known */
static void put_located(struct frame_cache *c, struct frame *f, u32 what, struct strbuf *out)
{
	u64 h = slot_hash(f->loc.dso_addr, f->loc.dso, what);
	struct frame_slot *slot;

	for (; (slot = &c->slot[h & c->mask])->what; h++) {
		if (slot->addr == f->loc.dso_addr && slot->dso == f->loc.dso && slot->what == what) {
			put_line(f->ip, what, slot->text, slot->len, out);
			return;
		}
	}
	if (!find_symbol(c, f))
		return;
	put_uncached(c, f, what, out);
	if (c->arena.total > ARENA_MAX)
		cache_clear(c);
	if (c->nr * 2 > c->mask)
		cache_grow(c);
	for (h = slot_hash(f->loc.dso_addr, f->loc.dso, what); c->slot[h & c->mask].what; h++)
		;
	c->slot[h & c->mask] = (struct frame_slot){ .addr = f->loc.dso_addr, .dso = f->loc.dso, .what = what, .len = c->tmp.len,
						    .text = arena_memdup(&c->arena, strbuf_str(&c->tmp), c->tmp.len) };
	c->nr++;
}

static void page_add(struct frame_page *slot, u64 key, const struct whence *at, u64 ip, const struct loc *loc)
{
	const struct map *m = loc->map;
	u64 first = ip >> PAGE_BITS << PAGE_BITS, last = first + (1u << PAGE_BITS) - 1;

	/* the edges of a span of time are left to the slow way */
	if (!m || m->start > first || m->end <= last || (at->time <= m->from_time && m->from_time) || at->time >= m->to_time)
		return;
	*slot = (struct frame_page){ .page = ip >> PAGE_BITS, .key = key, .from = m->from_time, .to = m->to_time,
				     .delta = loc->dso_addr - ip, .dso = loc->dso };
}

void frame_put(struct frame_cache *c, const struct whence *at, u8 cpumode, u64 ip, u32 what, struct strbuf *out)
{
	u64 page = ip >> PAGE_BITS, key = ((u64)(cpumode == CPUMODE_KERNEL ? 0 : at->space) << 8 | cpumode) + 1;
	struct frame_page *slot = &c->page[hash_u64(page ^ key << 40) & (PAGE_SLOTS - 1)];
	struct frame f = { .ip = ip };

	if (likely(slot->page == page && slot->key == key && at->time > slot->from && at->time < slot->to)) {
		f.loc.dso = slot->dso;
		f.loc.dso_addr = ip + slot->delta;
		put_located(c, &f, what, out);
		return;
	}
	f.loc = world_locate(c->s->world, at->space, cpumode, ip, at->time, at->off);
	if (f.loc.dso == WORLD_NONE) {
		put_uncached(c, &f, what, out);
		return;
	}
	page_add(slot, key, at, ip, &f.loc);
	put_located(c, &f, what, out);
}
