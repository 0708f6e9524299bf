/*
 * Frames seen before: tables map a dso and symbol to the text after the hex digits, so all processes that run
 * a program share them. Where functions may be inlined, they map the address.
 */
#include "frame-text.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 4096u
#define SLOTS_MAX (1u << 22)

/*
 * the text of one address. 16 bytes, because a profile has very many of them and each look-up is a cache miss
 */
struct frame_slot {
	u64 addr;		/* in the dso */
	u32 dso : 31, caller : 1;
	u32 text;		/* as in struct frame_dso; 0: free */
};

/* texts of a dso: indices of struct frame_text, plus 1; 0: not made yet */
struct frame_dso {
	u32 *text;		/* by symbol; NULL: nothing was asked yet */
	u32 nr;			/* symbols; text[nr] is for what has none */
	bool plain;		/* has no debug information: texts depend on the symbol only */
};

/* all of one FRAME_* combination: the event kinds of a file use one or two */
struct frame_table {
	u32 what;
	struct frame_dso *dso;
	u32 mask, nr;
	struct frame_slot *slot;
	struct { VEC(struct frame_text); } text;
	u32 nowhere;		/* text of what is in no dso */
};

void frame_cache_init(struct frame_cache *c, const struct session *s, struct locator *locator,
		      const struct frame_opts *opts, const u8 *loaded, u32 nr_dsos, const struct lines *lines)
{
	*c = (struct frame_cache){ .s = s, .locator = locator, .opts = opts, .loaded = loaded, .lines = lines,
				   .want = xcalloc(nr_dsos + 1, 1), .nr_dsos = nr_dsos };
}

void frame_cache_grow(struct frame_cache *c, const u8 *loaded, u32 nr_dsos)
{
	u32 old = c->nr_dsos, more = nr_dsos - old;

	c->loaded = loaded;
	if (!more)
		return;
	c->nr_dsos = nr_dsos;
	c->want = xrealloc(c->want, nr_dsos + 1ul);
	memset(c->want + old, 0, more + 1ul);
	for (u32 i = 0; i < FRAME_TABLES && c->table[i]; i++) {
		struct frame_table *t = c->table[i];

		t->dso = xreallocarray(t->dso, nr_dsos + 1ul, sizeof(*t->dso));
		memset(t->dso + old, 0, (more + 1ul) * sizeof(*t->dso));
	}
}

static void table_free(struct frame_table *t, u32 nr_dsos)
{
	if (!t)
		return;
	for (u32 i = 0; i < nr_dsos; i++)
		free(t->dso[i].text);
	free(t->dso);
	free(t->slot);
	vec_release(&t->text);
	free(t);
}

void frame_cache_release(struct frame_cache *c)
{
	for (u32 i = 0; i < FRAME_TABLES; i++)
		table_free(c->table[i], c->nr_dsos);
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

static struct frame_table *table_new(const struct frame_cache *c, u32 what)
{
	struct frame_table *t = xcalloc(1, sizeof(*t));

	t->what = what;
	t->dso = xcalloc(c->nr_dsos + 1, sizeof(*t->dso));
	table_grow(t);
	return t;
}

/*
 * the table of that kind; NULL for texts that are not kept: source lines and offsets in the dso belong to one
 * address
 */
static struct frame_table *table_of(struct frame_cache *c, u32 what)
{
	if (likely(c->table[0] && c->table[0]->what == what))
		return c->table[0];
	if (what & (FRAME_DSOFF | FRAME_SRCLINE))
		return NULL;
	for (u32 i = 0; i < FRAME_TABLES; i++) {
		if (!c->table[i])
			c->table[i] = table_new(c, what);
		if (c->table[i]->what == what)
			return c->table[i];
	}
	return NULL;
}

/* the text, kept in table t: its index plus 1 */
static u32 text_add(struct frame_cache *c, struct frame_table *t, const struct resolved_frame *f, u32 what,
		    const struct line_info *info)
{
	struct frame_text text = { 0 };
	char *copy;
	u32 len;

	frame_make_text(c, f, what, &text);
	len = text.name_len + text.tail_len;
	copy = arena_alloc(&c->arena, len + TEXT_SLACK);
	memset(copy + len, 0, TEXT_SLACK);
	text.text = memcpy(copy, text.text, len);
	if (info)
		text.info = arena_memdup(&c->arena, info, sizeof(*info));
	vec_push(&t->text, text);
	return t->text.nr;
}

static u32 slot_find(const struct frame_table *t, u32 dso, u64 addr, bool caller)
{
	const struct frame_slot *slot;

	for (u64 h = slot_hash(addr, dso); (slot = &t->slot[h & t->mask])->text; h++)
		if (slot->addr == addr && slot->dso == dso && slot->caller == caller)
			return slot->text;
	return 0;
}

static void slot_add(struct frame_table *t, const struct resolved_frame *f, u32 text)
{
	u64 addr = f->loc.dso_addr, h;
	u32 dso = f->loc.dso;

	if (t->nr >= SLOTS_MAX) {
		memset(t->slot, 0, ((size_t)t->mask + 1) * sizeof(*t->slot));
		t->nr = 0;
	}
	if (t->nr + t->nr / 2 > t->mask)
		table_grow(t);
	for (h = slot_hash(addr, dso); t->slot[h & t->mask].text; h++)
		;
	t->slot[h & t->mask] = (struct frame_slot){ .addr = addr, .dso = dso, .caller = f->caller,
						     .text = text };
	t->nr++;
}

/* the text of a place, where it was made already; else 0 */
static u32 text_find(const struct frame_cache *c, const struct frame_table *t, u32 dso, u64 addr, bool caller)
{
	const struct frame_dso *d = &t->dso[dso];
	u64 code;
	u32 sym;

	if (!d->plain && t->what & FRAME_INLINE)
		return slot_find(t, dso, addr, caller);
	if (!d->text)
		return 0;
	sym = caller ? symbols_find_call(c->s->symbols, dso, addr, &code) :
	      symbols_find_idx(c->s->symbols, dso, addr);
	return d->text[sym == ID_NONE ? d->nr : sym];
}

struct frame_found frame_find(struct frame_cache *c, const struct frame_at *at, u32 what)
{
	struct loc loc = locator_find(c->locator, at->ctx, at->cpumode, at->ip);
	struct frame_found hit = { .dso_addr = loc.dso_addr, .dso = loc.dso };
	const struct frame_table *t = c->table[0];

	if (unlikely(!t || t->what != what))
		return hit;
	if (unlikely(loc.dso == ID_NONE)) {
		hit.text = t->nowhere;
	} else {
		struct frame_known *k = &c->known[(loc.dso_addr ^ loc.dso_addr >> 8) % FRAMES_KNOWN];

		if (!k->text || k->addr != loc.dso_addr || k->dso != loc.dso || k->caller != at->caller)
			*k = (struct frame_known){ loc.dso_addr, loc.dso, at->caller,
						   text_find(c, t, loc.dso, loc.dso_addr, at->caller) };
		hit.text = k->text;
	}
	if (hit.text)
		__builtin_prefetch(&t->text.v[hit.text - 1]);
	return hit;
}

static void put_text(struct frame_cache *c, struct resolved_frame *f, u32 what, const struct frame_text *text,
		     struct strbuf *out)
{
	if (likely(!text->info)) {
		frame_put_line(c, f->ip, what, text, f->loc.dso_addr, out);
		return;
	}
	if (!f->sym)
		frame_find_symbol(c, f);
	frame_put_lines(c, f, what, text, out);
}

static void put_uncached(struct frame_cache *c, struct resolved_frame *f, u32 what,
			 const struct line_info *info, struct strbuf *out)
{
	struct frame_text t = { 0 };

	frame_make_text(c, f, info ? what & ~FRAME_LINE : what, &t);
	t.info = info;
	put_text(c, f, what, &t, out);
}

/* keeps the text of a frame whose symbol is known */
static u32 text_keep(struct frame_cache *c, struct frame_table *t, const struct resolved_frame *f,
		     const struct line_info *info)
{
	struct frame_dso *d = &t->dso[f->loc.dso];
	u32 *by_sym, text;

	if (!d->text) {
		const struct symtab *tab = symbols_table(c->s->symbols, f->loc.dso);

		d->nr = tab ? tab->nr : 0;
		d->text = xcalloc(d->nr + 1ul, sizeof(*d->text));
	}
	d->plain = lines_none(c->lines, f->loc.dso);
	by_sym = &d->text[f->sym_idx == ID_NONE ? d->nr : f->sym_idx];
	if (info)
		text = text_add(c, t, f, t->what & ~FRAME_LINE, info);
	else
		text = *by_sym = *by_sym ? *by_sym : text_add(c, t, f, t->what, NULL);
	if (t->what & FRAME_INLINE && !d->plain)
		slot_add(t, f, text);
	return text;
}

/* an address whose place is known, but not its text */
static void put_located(struct frame_cache *c, struct resolved_frame *f, u32 what, struct strbuf *out)
{
	struct frame_table *t = table_of(c, what);
	const struct line_info *info = NULL;
	u32 text;

	if (f->loc.dso == ID_NONE) {
		if (t && !t->nowhere)
			t->nowhere = text_add(c, t, f, what, NULL);
		put_uncached(c, f, what, NULL, out);
		return;
	}
	text = t ? text_find(c, t, f->loc.dso, f->loc.dso_addr, f->caller) : 0;
	if (text) {
		put_text(c, f, what, &t->text.v[text - 1], out);
		return;
	}
	if (!frame_find_symbol(c, f))
		return;
	if (what & FRAME_SRCLINE || (what & FRAME_INLINE && f->sym)) {
		info = lines_find(c->lines, f->loc.dso, f->code);
		if (!info) {
			vec_push(&c->hole, (struct frame_hole){ out->len, *f, what });
			return;
		}
		if (!info->nr_inlined && !(what & FRAME_SRCLINE))
			info = NULL;
	}
	if (!t) {
		put_uncached(c, f, what, info, out);
		return;
	}
	text = text_keep(c, t, f, info);
	put_text(c, f, what, &t->text.v[text - 1], out);
}

void frame_put_hole(struct frame_cache *c, struct frame_hole *h, struct strbuf *out)
{
	put_located(c, &h->f, h->what, out);
}

void frame_put_found(struct frame_cache *c, const struct frame_at *at, u32 what, struct frame_found hit,
		     struct strbuf *out)
{
	struct resolved_frame f;

	if (unlikely(!hit.text)) {
		frame_put(c, at, what, out);
		return;
	}
	if (likely(!c->table[0]->text.v[hit.text - 1].info)) {
		frame_put_line(c, at->ip, what, &c->table[0]->text.v[hit.text - 1], hit.dso_addr, out);
		return;
	}
	f = (struct resolved_frame){ .ip = at->ip, .loc = { .dso = hit.dso, .dso_addr = hit.dso_addr },
				     .sym_idx = ID_NONE, .caller = at->caller };
	put_text(c, &f, what, &c->table[0]->text.v[hit.text - 1], out);
}

void frame_put(struct frame_cache *c, const struct frame_at *at, u32 what, struct strbuf *out)
{
	static const struct frame_text none = { .text = "\0                               " };
	struct resolved_frame f = { .ip = at->ip, .sym_idx = ID_NONE, .caller = at->caller };

	if (frame_is_bare(what)) {
		frame_put_line(c, at->ip, what, &none, 0, out);
		if ((what & (FRAME_LINE | FRAME_CELLS)) == FRAME_LINE)
			strbuf_addch(out, '\n');
		return;
	}
	f.loc = locator_find(c->locator, at->ctx, at->cpumode, at->ip);
	put_located(c, &f, what, out);
}
