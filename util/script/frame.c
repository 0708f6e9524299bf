/* Frames as text, and the cache that makes the second time cheap. */
#include "frame.h"

#include <stdlib.h>

#define SLOTS_MIN 4096u
#define ARENA_MAX (48u << 20)

struct frame_slot {
	u64 ip;
	u64 from, to;		/* the text holds for times in (from, to): at the very edges file offsets decide */
	u32 space;
	u32 what;		/* FRAME_* bits | cpumode << 16; 0: empty slot */
	const char *text;
	u32 len;
};

void frame_cache_init(struct frame_cache *c, const struct session *s, const struct frame_opts *opts, const u8 *loaded, u32 nr_dsos)
{
	*c = (struct frame_cache){ .s = s, .opts = opts, .loaded = loaded, .want = xcalloc(nr_dsos + 1, 1) };
}

void frame_cache_release(struct frame_cache *c)
{
	free(c->slot);
	free(c->want);
	arena_release(&c->arena);
	strbuf_release(&c->tmp);
}

static u64 slot_hash(u64 ip, u32 space, u32 what)
{
	return hash_mix(hash_mix(ip, space), what) >> 20;
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
	u32 old_nr = old ? c->mask + 1 : 0;

	c->mask = old_nr ? old_nr * 2 - 1 : SLOTS_MIN - 1;
	c->slot = xcalloc((size_t)c->mask + 1, sizeof(*c->slot));
	for (u32 i = 0; i < old_nr; i++) {
		u64 h = slot_hash(old[i].ip, old[i].space, old[i].what);

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

bool frame_resolve(struct frame_cache *c, const struct whence *at, u8 cpumode, u64 ip, bool data, struct frame *out)
{
	*out = (struct frame){ .ip = ip };
	if (data)
		out->loc = locate_data(c, at, cpumode, ip);
	else
		out->loc = world_locate(c->s->world, at->space, cpumode, ip, at->time, at->off);
	if (out->loc.dso == WORLD_NONE)
		return true;
	if (!c->loaded[out->loc.dso]) {
		c->want[out->loc.dso] = 1;
		c->blocked = true;
		return false;
	}
	out->sym = symbols_find(c->s->symbols, out->loc.dso, out->loc.dso_addr);
	if (out->sym)
		out->name = symbols_show(c->s->symbols, out->loc.dso, out->sym, &c->arena);
	return true;
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

static void frame_text(struct frame_cache *c, const struct frame *f, u32 what, struct strbuf *out)
{
	if (what & FRAME_IP) {
		strbuf_addch(out, what & FRAME_LINE ? '\t' : ' ');
		strbuf_add_hex(out, f->ip, 16, ' ');
	}
	if (what & FRAME_SYM) {
		strbuf_addch(out, ' ');
		frame_put_sym(f, what & FRAME_SYMOFF, out);
	}
	if (what & FRAME_DSO)
		frame_put_dso(c, f, what & FRAME_DSOFF, out);
	if (what & FRAME_LINE)
		strbuf_addch(out, '\n');
}

static void cache_add(struct frame_cache *c, u64 hash, const struct frame_slot *key, const char *text, size_t len)
{
	struct frame_slot *slot;

	if (c->arena.total > ARENA_MAX)
		cache_clear(c);
	if (!c->slot || c->nr * 2 > c->mask)
		cache_grow(c);
	while (c->slot[hash & c->mask].what)
		hash++;
	slot = &c->slot[hash & c->mask];
	*slot = *key;
	slot->text = arena_memdup(&c->arena, text, len);
	slot->len = len;
	c->nr++;
}

void frame_put(struct frame_cache *c, const struct whence *at, u8 cpumode, u64 ip, u32 what, struct strbuf *out)
{
	u32 space = cpumode == CPUMODE_KERNEL ? WORLD_NONE : at->space, key = what | 1u << 15 | (u32)cpumode << 16;
	u64 hash = slot_hash(ip, space, key);
	struct frame f;

	if (likely(c->slot)) {
		const struct frame_slot *slot;

		for (u64 h = hash; (slot = &c->slot[h & c->mask])->what; h++) {
			if (slot->ip != ip || slot->space != space || slot->what != key)
				continue;
			if (likely(at->time > slot->from && at->time < slot->to)) {
				strbuf_add(out, slot->text, slot->len);
				return;
			}
		}
	}
	if (!frame_resolve(c, at, cpumode, ip, false, &f))
		return;
	strbuf_reset(&c->tmp);
	frame_text(c, &f, what, &c->tmp);
	strbuf_add(out, c->tmp.buf, c->tmp.len);
	if (f.loc.map && (at->time > f.loc.map->from_time || !f.loc.map->from_time) && at->time < f.loc.map->to_time)
		cache_add(c, hash, &(struct frame_slot){ .ip = ip, .space = space, .what = key,
			  .from = f.loc.map->from_time, .to = f.loc.map->to_time }, c->tmp.buf, c->tmp.len);
}
