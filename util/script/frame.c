/*
 * Frames as text. Two tables make the second time cheap: pages tell which map an address is in, slots which text belongs
 * behind the hex digits, by (dso, address in the dso), so that all processes which run a program share them.
 */
#include "frame.h"

#include <stdlib.h>
#include "../base/digits.h"

#define PAGE_SLOTS 8192u
#define PAGE_BITS 12
#define SLOTS_MIN 4096u
#define NAMES_MAX (4u << 20)
#define SLOTS_MAX (1u << 22)

/* one page of an address space, wholly inside one map */
struct frame_page {
	u64 page;		/* ip >> PAGE_BITS */
	u64 key;		/* space << 8 | cpumode, plus 1 so that zeros are free */
	u64 from, to;		/* holds at times in (from, to): at the very edges file offsets decide */
	u64 delta;		/* dso address - ip */
	u32 dso;
};

/* Where a code address leads. 16 bytes, because a profile has very many of them and each look-up is a cache miss. */
struct frame_slot {
	u64 addr;		/* in the dso */
	u32 dso;
	u32 text;		/* index of a struct frame_text, plus 1; 0: free */
};

/* what stands behind the address: one a symbol (and one a dso for what has none) */
struct frame_text {
	const char *text;	/* " name" or " name+0x", then behind the offset " (dso)\n" */
	u16 name_len, tail_len;
	bool offset;
	u32 dso, sym;		/* sym WORLD_NONE: no symbol */
	u64 start;		/* of the symbol */
	const struct line_info *info;	/* of one address: its inlined callers; NULL for all others of the symbol */
};

/* all of one FRAME_* combination: the event kinds of a file use one or two */
struct frame_table {
	u32 what;
	u32 mask, nr;
	struct frame_slot *slot;
	struct { VEC(struct frame_text); } text;
	struct hidx text_idx;	/* by (dso, sym) */
};

void frame_cache_init(struct frame_cache *c, const struct session *s, const struct frame_opts *opts, const u8 *loaded, u32 nr_dsos,
		      const struct lines *lines)
{
	*c = (struct frame_cache){ .s = s, .opts = opts, .loaded = loaded, .lines = lines, .want = xcalloc(nr_dsos + 1, 1) };
	c->page = xcalloc(PAGE_SLOTS, sizeof(*c->page));
}

static void table_release(struct frame_table *t)
{
	free(t->slot);
	vec_release(&t->text);
	hidx_release(&t->text_idx);
}

void frame_cache_release(struct frame_cache *c)
{
	for (u32 i = 0; i < FRAME_TABLES; i++) {
		if (c->table[i])
			table_release(c->table[i]);
		free(c->table[i]);
	}
	free(c->page);
	free(c->want);
	vec_release(&c->hole);
	arena_release(&c->arena);
	arena_release(&c->names);
	strbuf_release(&c->tmp);
}

static u64 slot_hash(u64 addr, u32 dso)
{
	return hash_u64(addr ^ (u64)dso << 44);
}

static void table_grow(struct frame_table *t)
{
	struct frame_slot *old = t->slot;
	u32 old_nr = old ? t->mask + 1 : 0;

	t->mask = old_nr ? old_nr * 2 - 1 : SLOTS_MIN - 1;
	t->slot = xcalloc((size_t)t->mask + 1, sizeof(*t->slot));
	for (u32 i = 0; i < old_nr; i++) {
		u64 h = slot_hash(old[i].addr, old[i].dso);

		if (!old[i].text)
			continue;
		while (t->slot[h & t->mask].text)
			h++;
		t->slot[h & t->mask] = old[i];
	}
	free(old);
}

/* the table for what; NULL where there are too many combinations to keep one for each */
static struct frame_table *table_of(struct frame_cache *c, u32 what)
{
	for (u32 i = 0; i < FRAME_TABLES; i++) {
		if (!c->table[i]) {
			c->table[i] = xcalloc(1, sizeof(struct frame_table));
			c->table[i]->what = what;
			table_grow(c->table[i]);
		}
		if (c->table[i]->what == what)
			return c->table[i];
	}
	return NULL;
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
	f->sym_idx = symbols_find_idx(c->s->symbols, f->loc.dso, f->loc.dso_addr);
	if (f->sym_idx != WORLD_NONE)
		f->sym = &symbols_table(c->s->symbols, f->loc.dso)->sym[f->sym_idx];
	return true;
}

bool frame_resolve(struct frame_cache *c, const struct whence *at, u8 cpumode, u64 ip, bool data, struct frame *out)
{
	*out = (struct frame){ .ip = ip, .sym_idx = WORLD_NONE };
	if (data)
		out->loc = locate_data(c, at, cpumode, ip);
	else
		out->loc = world_locate(c->s->world, at->space, cpumode, ip, at->time, at->off);
	return find_symbol(c, out);
}

const char *frame_name(struct frame_cache *c, const struct frame *f)
{
	if (!f->sym)
		return NULL;
	if (c->names.total > NAMES_MAX)
		arena_release(&c->names);
	return symbols_name(c->s->symbols, f->loc.dso, f->sym_idx, &c->names);
}

void frame_put_sym(struct frame_cache *c, const struct frame *f, bool offset, struct strbuf *out)
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

/* what stands behind the address: up to the offset, and from there on */
static void text_head(struct frame_cache *c, const struct frame *f, u32 what, struct strbuf *out)
{
	if (!(what & FRAME_SYM))
		return;
	strbuf_addch(out, ' ');
	frame_put_sym(c, f, false, out);
	if (f->sym && what & FRAME_SYMOFF)
		strbuf_addstr(out, "+0x");
}

static void text_tail(struct frame_cache *c, const struct frame *f, u32 what, struct strbuf *out)
{
	if (what & FRAME_DSO)
		frame_put_dso(c, f, what & FRAME_DSOFF, out);
	if (what & FRAME_LINE)
		strbuf_addch(out, '\n');
}

/* the address and what is behind it; everything in one reservation */
static void put_line(u64 ip, u32 what, const struct frame_text *t, u64 dso_addr, struct strbuf *out)
{
	char *p = strbuf_room(out, t->name_len + t->tail_len + 34);

	*p++ = what & FRAME_LINE ? '\t' : ' ';
	p = put_hex16(p, ip);
	memcpy(p, t->text, t->name_len);
	p += t->name_len;
	if (t->offset)
		p = put_hex(p, dso_addr - t->start);
	memcpy(p, t->text + t->name_len, t->tail_len);
	p += t->tail_len;
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
static void put_no_srcline(const struct frame_cache *c, const struct frame *f, struct strbuf *out)
{
	const struct dso *d = dsos_at(world_dsos(c->s->world), f->loc.dso);

	strbuf_addstr(out, "\n  ");
	strbuf_add_safe(out, d->short_name);
	strbuf_addch(out, '[');
	strbuf_add_hex(out, symbols_off_to_svma(c->s->symbols, f->loc.dso, f->loc.dso_addr), 0, ' ');
	strbuf_addch(out, ']');
}

/* an address with inlined callers or a source line; t is the text of its symbol, for a line without end */
static void put_with_lines(struct frame_cache *c, const struct frame *f, u32 what, const struct line_info *info,
			   const struct frame_text *t, struct strbuf *out)
{
	for (u32 i = 0; what & FRAME_INLINE && i < info->nr_inlined; i++) {
		const struct line_call *call = &info->inlined[i];
		char *p;

		/* a function inlined into a copy of itself is shown as that copy */
		if (f->sym && !strcmp(call->name, frame_name(c, f))) {
			put_line(f->ip, what, t, f->loc.dso_addr, out);
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
	put_line(f->ip, what, t, f->loc.dso_addr, out);
	if (what & FRAME_SRCLINE && info->file)
		put_srcline(c, info->file, info->line, out);
	else if (what & FRAME_SRCLINE)
		put_no_srcline(c, f, out);
	if (what & FRAME_LINE)
		strbuf_addch(out, '\n');
}

static void make_text(struct frame_cache *c, const struct frame *f, u32 what, struct frame_text *t)
{
	strbuf_reset(&c->tmp);
	text_head(c, f, what, &c->tmp);
	t->name_len = MIN(c->tmp.len, (size_t)UINT16_MAX);
	text_tail(c, f, what, &c->tmp);
	t->tail_len = MIN(c->tmp.len - t->name_len, (size_t)UINT16_MAX);
	t->text = strbuf_str(&c->tmp);
	t->offset = f->sym && what & FRAME_SYMOFF && what & FRAME_SYM;
	t->start = f->sym ? f->sym->start : 0;
}

static void put_uncached(struct frame_cache *c, const struct frame *f, u32 what, struct strbuf *out)
{
	struct frame_text t;

	make_text(c, f, what, &t);
	put_line(f->ip, what, &t, f->loc.dso_addr, out);
}

/* a text of its own for an address with inlined callers */
static u32 table_lines(struct frame_cache *c, struct frame_table *t, const struct frame *f, const struct line_info *info)
{
	struct frame_text text = { .dso = f->loc.dso, .sym = f->sym_idx };

	make_text(c, f, t->what & ~FRAME_LINE, &text);
	text.text = arena_memdup(&c->arena, text.text, text.name_len + text.tail_len);
	text.info = arena_memdup(&c->arena, info, sizeof(*info));
	vec_push(&t->text, text);
	return t->text.nr - 1;
}

/* the text of f's symbol, made where it is new */
static u32 table_text(struct frame_cache *c, struct frame_table *t, const struct frame *f)
{
	u32 sym = f->sym_idx, k;
	u64 hash = hash_mix(f->loc.dso, sym);
	struct frame_text text = { .dso = f->loc.dso, .sym = sym };

	HIDX_FOREACH(&t->text_idx, hash, k)
		if (t->text.v[k].dso == f->loc.dso && t->text.v[k].sym == sym)
			return k;
	make_text(c, f, t->what, &text);
	text.text = arena_memdup(&c->arena, text.text, text.name_len + text.tail_len);
	hidx_insert(&t->text_idx, hash, t->text.nr);
	vec_push(&t->text, text);
	return t->text.nr - 1;
}

static const struct frame_text *table_add(struct frame_cache *c, struct frame_table *t, const struct frame *f,
					  const struct line_info *info)
{
	u32 text = (info ? table_lines(c, t, f, info) : table_text(c, t, f)) + 1;
	u64 h;

	if (t->nr >= SLOTS_MAX) {
		memset(t->slot, 0, ((size_t)t->mask + 1) * sizeof(*t->slot));
		t->nr = 0;
	}
	if (t->nr + t->nr / 2 > t->mask)
		table_grow(t);
	for (h = slot_hash(f->loc.dso_addr, f->loc.dso); t->slot[h & t->mask].text; h++)
		;
	t->slot[h & t->mask] = (struct frame_slot){ .addr = f->loc.dso_addr, .dso = f->loc.dso, .text = text };
	t->nr++;
	return &t->text.v[text - 1];
}

static void put_text(struct frame_cache *c, struct frame *f, u32 what, const struct frame_text *text, struct strbuf *out)
{
	if (unlikely(text->info && !f->sym))
		find_symbol(c, f);
	if (unlikely(text->info))
		put_with_lines(c, f, what, text->info, text, out);
	else
		put_line(f->ip, what, text, f->loc.dso_addr, out);
}

/* an address whose place is known */
static void put_located(struct frame_cache *c, struct frame *f, u32 what, struct strbuf *out)
{
	struct frame_table *t = likely(c->table[0] && c->table[0]->what == what) ? c->table[0] : table_of(c, what);
	u64 h = slot_hash(f->loc.dso_addr, f->loc.dso);
	const struct line_info *info = NULL;
	const struct frame_slot *slot;
	struct frame_text text = { 0 };

	for (; t && (slot = &t->slot[h & t->mask])->text; h++) {
		if (slot->addr == f->loc.dso_addr && slot->dso == f->loc.dso) {
			put_text(c, f, what, &t->text.v[slot->text - 1], out);
			return;
		}
	}
	if (!find_symbol(c, f))
		return;
	if (what & FRAME_SRCLINE || (what & FRAME_INLINE && f->sym)) {
		info = lines_find(c->lines, f->loc.dso, f->loc.dso_addr);
		if (!info) {
			vec_push(&c->hole, (struct frame_hole){ out->len, *f, what });
			return;
		}
		if (!info->nr_inlined && !(what & FRAME_SRCLINE))
			info = NULL;
	}
	/* source lines are rare, and offsets in the dso are not in the text of a symbol: not kept */
	if (!t || what & (FRAME_DSOFF | FRAME_SRCLINE)) {
		make_text(c, f, info ? what & ~FRAME_LINE : what, &text);
		text.info = info;
		put_text(c, f, what, &text, out);
	} else {
		put_text(c, f, what, table_add(c, t, f, info), out);
	}
}

void frame_put_hole(struct frame_cache *c, struct frame_hole *h, struct strbuf *out)
{
	put_located(c, &h->f, h->what, out);
}

static void page_add(struct frame_page *slot, u64 key, u64 ip, const struct loc *loc, u64 from, u64 to)
{
	const struct map *m = loc->map;
	u64 first = ip >> PAGE_BITS << PAGE_BITS, last = first + (1u << PAGE_BITS) - 1;

	if (!m || m->start > first || m->end <= last)
		return;
	*slot = (struct frame_page){ .page = ip >> PAGE_BITS, .key = key, .from = from, .to = to, .delta = loc->dso_addr - ip, .dso = loc->dso };
}

static struct frame_page *page_slot(const struct frame_cache *c, const struct whence *at, u8 cpumode, u64 ip, u64 *ret_key)
{
	*ret_key = ((u64)(cpumode == CPUMODE_KERNEL ? 0 : at->space) << 8 | cpumode) + 1;
	return &c->page[hash_u64(ip >> PAGE_BITS ^ *ret_key << 40) & (PAGE_SLOTS - 1)];
}

void frame_prefetch(const struct frame_cache *c, const struct whence *at, u8 cpumode, u64 ip)
{
	const struct frame_table *t = c->table[0];
	const struct frame_page *page;
	u64 key;

	page = page_slot(c, at, cpumode, ip, &key);
	if (t && page->page == ip >> PAGE_BITS && page->key == key)
		__builtin_prefetch(&t->slot[slot_hash(ip + page->delta, page->dso) & t->mask]);
}

void frame_put(struct frame_cache *c, const struct whence *at, u8 cpumode, u64 ip, u32 what, struct strbuf *out)
{
	u64 key, from, to;
	struct frame_page *slot = page_slot(c, at, cpumode, ip, &key);
	struct frame f = { .ip = ip, .sym_idx = WORLD_NONE };

	if (likely(slot->page == ip >> PAGE_BITS && slot->key == key && at->time > slot->from && at->time < slot->to)) {
		f.loc.dso = slot->dso;
		f.loc.dso_addr = ip + slot->delta;
		put_located(c, &f, what, out);
		return;
	}
	f.loc = world_locate_span(c->s->world, at->space, cpumode, ip, at->time, at->off, &from, &to);
	if (f.loc.dso == WORLD_NONE) {
		put_uncached(c, &f, what, out);
		return;
	}
	page_add(slot, key, ip, &f.loc, from, to);
	put_located(c, &f, what, out);
}
