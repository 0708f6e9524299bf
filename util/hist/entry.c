/*
 * Entries: piles added up by all sort keys. What an entry's callees used is summed where the piles are, stack by stack: each
 * name on a chain gets the pile's sums once. Tasks share the work by bases, and by names where one base has most of it, so each
 * has entries of its own.
 */
#include "fold.h"

#include <stdlib.h>
#include "../base/sort.h"

/* the entry of an elabel that is being summed up: what a caller needs is in one place, half a line of the cache */
struct elabel_slot {
	u32 base;		/* whose entry it is, plus one; 0: none yet */
	u32 pile;		/* the last one that was added to it, counted from one */
	u32 max_depth, own;
	u64 nr, period;
};

struct entry_part {
	struct { BLOCKS(struct hist_entry); } entry;
	struct { VEC(struct hist_own); } own;
	struct { VEC(struct hist_more); } more;	/* as many, or none */
	u32 first_own;			/* where they go in the hist's */
	u32 *of_event;			/* entries of each event */
} CACHE_ALIGNED;

struct entry_maker {
	struct hist *h;
	const struct shares *shares;
	u32 bits, group_bits;		/* of the tasks' numbers: their elabels, and above these their group of bases */
	u8 *group;			/* of each base */
	struct entry_part *part;
};

/* one task's view */
struct entry_task {
	const struct hist *h;
	struct entry_part *part;
	struct elabel_slot *slot;	/* by elabel >> bits */
	struct path path;
	u32 bits, mask, idx;		/* elabels whose lowest bits are idx */
	u32 base, pile;
};

#define MAX_PART_BITS 4

u32 hist_part_bits(const struct hist *h)
{
	u32 bits = 0;

	while (bits < MAX_PART_BITS && 1u << bits < pool_nr_workers(h->session->pool))
		bits++;
	return bits;
}

/* what was summed up becomes an entry */
static void entry_end(struct entry_task *k, const struct elabel_slot *slot, u32 elabel)
{
	if (slot->base)
		*blocks_add(&k->part->entry) = (struct hist_entry){ .base = slot->base - 1, .elabel = elabel,
			.max_depth = slot->max_depth, .own = slot->own, .nr_children = slot->nr,
			.period_children = slot->period };
}

static struct elabel_slot *slot_get(struct entry_task *k, u32 elabel)
{
	struct elabel_slot *slot = &k->slot[elabel >> k->bits];

	if (slot->base != k->base + 1) {
		entry_end(k, slot, elabel);
		*slot = (struct elabel_slot){ .base = k->base + 1, .own = HIST_NONE };
	}
	return slot;
}

static void add_mode(struct hist_own *own, u8 cpumode, u64 period)
{
	switch (cpumode) {
	case CPUMODE_KERNEL:
		own->period_sys += period;
		break;
	case CPUMODE_USER:
		own->period_us += period;
		break;
	case CPUMODE_GUEST_KERNEL:
		own->period_guest_sys += period;
		break;
	case CPUMODE_GUEST_USER:
		own->period_guest_us += period;
		break;
	}
}

static void raise_depth(struct elabel_slot *slot, u32 depth)
{
	slot->max_depth = MAX(slot->max_depth, depth);
}

static bool has_more(const struct hist *h)
{
	return h->opts.weights || h->opts.latency;
}

static u32 own_get(struct entry_task *k, struct elabel_slot *slot)
{
	if (slot->own == HIST_NONE) {
		slot->own = k->part->own.nr;
		vec_push(&k->part->own, (struct hist_own){ 0 });
		if (has_more(k->h))
			vec_push(&k->part->more, (struct hist_more){ 0 });
	}
	return slot->own;
}

/* each pile once */
static bool add_children(struct entry_task *k, struct elabel_slot *slot, struct pile *t)
{
	if (slot->pile == k->pile)
		return false;
	slot->pile = k->pile;
	slot->nr += t->nr;
	slot->period += t->period;
	if (unlikely(k->h->opts.latency)) {
		u32 id = own_get(k, slot);	/* the array may move */

		k->part->more.v[id].latency_children += *pile_weights(t);
	}
	return true;
}

/* every name on the chain once, where it is nearest to the outermost caller */
static void add_callers(struct entry_task *k, struct pile *t)
{
	bool caller = k->h->opts.chain.caller;
	u32 nr = k->path.nr;

	for (u32 i = 0; i < nr; i++) {
		u32 elabel = hist_label_e(k->h, k->path.v[i]);
		struct elabel_slot *slot;

		if ((elabel & k->mask) != k->idx)
			continue;
		slot = slot_get(k, elabel);
		if (add_children(k, slot, t))
			raise_depth(slot, caller ? nr - i : i + 1);
	}
}

/* the first is the latency */
static void add_more(struct hist_more *more, const u64 *weight, u32 nr_weights)
{
	more->latency += weight[0];
	for (u32 i = 1; i < nr_weights; i++)
		more->weight[i - 1] += weight[i];
}

static void add_self(struct entry_task *k, struct pile *t, u32 nr_weights)
{
	struct elabel_slot *slot = slot_get(k, t->leaf);
	u32 id = own_get(k, slot);
	struct hist_own *own = &k->part->own.v[id];

	own->nr += t->nr;
	own->period += t->period;
	add_mode(own, PILE_MODE(t), t->period);
	if (nr_weights)
		add_more(&k->part->more.v[id], pile_weights(t), nr_weights);
	raise_depth(slot, k->path.nr);
	/* it is not always among its own callers */
	add_children(k, slot, t);
}

static void add_share(struct entry_task *k, const struct share *s)
{
	struct pile *t;

	BASE_FOREACH_PILE(s, k->base, t) {
		k->pile++;
		if (k->h->opts.chains)
			share_path(k->h, s, t, &k->path);
		if (k->h->opts.children)
			add_callers(k, t);
		if ((t->leaf & k->mask) == k->idx)
			add_self(k, t, s->piles.nr_weights);
	}
}

static void make_part(void *arg, unsigned int worker, size_t idx)
{
	struct entry_maker *m = arg;
	u32 nr_slots = (m->h->elabels.nr >> m->bits) + 1, mask = (1u << m->bits) - 1;
	struct entry_task k = { .h = m->h, .part = &m->part[idx], .bits = m->bits, .mask = mask, .idx = idx & mask };

	k.slot = xcalloc_hot(nr_slots, sizeof(*k.slot));
	for (u32 b = 0; b < m->h->bases.nr; b++) {
		k.base = m->shares->base[b];
		if (m->group[k.base] != idx >> m->bits)
			continue;
		for (u32 i = 0; i < m->shares->nr; i++)
			add_share(&k, &m->shares->v[i]);
	}
	for (u32 i = 0; i < nr_slots; i++)
		entry_end(&k, &k.slot[i], i << k.bits | k.idx);
	free(k.slot);
	vec_release(&k.path);
}

static u32 nr_tasks(const struct entry_maker *m)
{
	return 1u << (m->bits + m->group_bits);
}

/* puts each base, the largest first, into the group that has least; returns the piles of the largest group */
static u64 deal_bases(const struct sort_pair *by_size, u32 nr, u32 group_bits, u8 *group)
{
	u64 load[1u << MAX_PART_BITS] = { 0 }, max = 0;

	for (u32 i = 0; i < nr; i++) {
		u32 least = 0;

		for (u32 g = 1; g < 1u << group_bits; g++)
			if (load[g] < load[least])
				least = g;
		load[least] += ~by_size[i].key;
		group[by_size[i].val] = least;
		max = MAX(max, load[least]);
	}
	return max;
}

/*
 * Tasks that share a group of bases all walk its chains, each for names of its own: that is about two parts of the work in five.
 * So as many groups are made as makes the longest task shortest.
 */
static void deal_out(struct entry_maker *m)
{
	u32 nr = m->h->bases.nr, bits = m->bits, best = 0;
	struct sort_pair *pair = xreallocarray(NULL, 2ull * nr + 1, sizeof(*pair));
	u64 cost, least = UINT64_MAX;

	m->group = xcalloc(nr + 1, 1);
	for (u32 b = 0; b < nr; b++) {
		u64 size = 0;

		for (u32 i = 0; i < m->shares->nr; i++)
			size += m->shares->v[i].first[b + 1] - m->shares->v[i].first[b];
		pair[b] = (struct sort_pair){ ~size, b };
	}
	sort_pairs(pair, pair + nr, nr);
	for (u32 g = 0; g <= bits; g++) {
		cost = deal_bases(pair, nr, g, m->group);
		cost = 2 * cost + (3 * cost >> (bits - g));
		if (cost < least) {
			least = cost;
			best = g;
		}
	}
	deal_bases(pair, nr, best, m->group);
	m->group_bits = best;
	m->bits = bits - best;
	free(pair);
}

static void take_part(void *arg, unsigned int worker, size_t idx)
{
	struct entry_maker *m = arg;
	struct entry_part *p = &m->part[idx];

	for (size_t i = 0; i < p->entry.nr; i++) {
		struct hist_entry *e = blocks_at(&p->entry, i);

		if (e->own != HIST_NONE)
			e->own += p->first_own;
		p->of_event[*rows_at(&m->h->bases, e->base)]++;
	}
	if (p->own.nr)
		memcpy(m->h->own.v + p->first_own, p->own.v, p->own.nr * sizeof(*p->own.v));
	if (p->more.nr)
		memcpy(m->h->more.v + p->first_own, p->more.v, p->more.nr * sizeof(*p->more.v));
	vec_release(&p->own);
	vec_release(&p->more);
}

/* the parts one behind the other */
static void take_parts(struct entry_maker *m)
{
	struct hist *h = m->h;
	u32 nr_parts = nr_tasks(m);

	for (u32 i = 0; i < nr_parts; i++) {
		struct entry_part *p = &m->part[i];

		p->first_own = h->own.nr;
		p->of_event = xcalloc(h->nr_events + 1, sizeof(*p->of_event));
		h->own.nr += p->own.nr;
	}
	vec_reserve(&h->own, h->own.nr);
	if (has_more(h)) {
		vec_reserve(&h->more, h->own.nr);
		h->more.nr = h->own.nr;
	}
	pool_run(h->session->pool, nr_parts, take_part, m);
	for (u32 i = 0; i < nr_parts; i++) {
		blocks_join(&h->entry, &m->part[i].entry);
		for (u32 e = 0; e < h->nr_events; e++)
			h->event[e].nr_entries += m->part[i].of_event[e];
		free(m->part[i].of_event);
	}
}

/* entries of one event side by side; the common case of one event costs nothing */
static void group_by_event(struct hist *h)
{
	struct hist old = { .entry = h->entry };
	size_t first = 0;

	if (h->nr_events && h->event[0].nr_entries == h->entry.nr)
		return;
	memset(&h->entry, 0, sizeof(h->entry));
	blocks_resize(&h->entry, old.entry.nr);
	for (u32 i = 0; i < h->nr_events; i++) {
		h->event[i].first = first;
		first += h->event[i].nr_entries;
		h->event[i].nr_entries = 0;
	}
	for (size_t i = 0; i < old.entry.nr; i++) {
		const struct hist_entry *e = blocks_at(&old.entry, i);
		struct hist_event *ev = &h->event[*rows_at(&h->bases, e->base)];
		size_t to = ev->first + ev->nr_entries++;

		*blocks_at(&h->entry, to) = *e;
	}
	blocks_release(&old.entry);
}

u64 hist_entry_key(const struct hist *h, const struct hist_entry *e, u32 i)
{
	if (h->opts.key[i]->kind == FIELD_SLOT)
		return rows_at(&h->bases, e->base)[h->key_word[i]];
	return rows_at(&h->elabels, e->elabel)[h->key_word[i]];
}

static void number_keys(struct hist *h)
{
	u32 slot = 1, frame = 0;

	for (u32 i = 0; i < h->opts.nr_keys; i++)
		h->key_word[i] = h->opts.key[i]->kind == FIELD_SLOT ? slot++ : frame++;
}

struct field_ctx hist_field_ctx(struct hist *h)
{
	return (struct field_ctx){ .session = h->session, .opts = &h->opts.fields, .names = &h->names, .verbose = h->opts.verbose };
}

struct stat_sums hist_entry_sums(const struct hist *h, const struct hist_entry *e)
{
	struct stat_sums s = { .nr_children = e->nr_children, .period_children = e->period_children };
	const struct hist_own *own;

	if (e->own == HIST_NONE)
		return s;
	own = &h->own.v[e->own];
	s.nr = own->nr;
	s.period = own->period;
	s.period_sys = own->period_sys;
	s.period_us = own->period_us;
	s.period_guest_sys = own->period_guest_sys;
	s.period_guest_us = own->period_guest_us;
	if (h->more.nr) {
		const struct hist_more *more = &h->more.v[e->own];

		s.latency = more->latency;
		s.latency_children = more->latency_children;
		memcpy(s.weight, more->weight, sizeof(s.weight));
	}
	return s;
}

u64 hist_entry_period(const struct hist *h, const struct hist_entry *e)
{
	return e->own == HIST_NONE ? 0 : h->own.v[e->own].period;
}

void entries_make(struct hist *h, const struct shares *s)
{
	struct entry_maker m = { .h = h, .shares = s, .bits = hist_part_bits(h) };

	number_keys(h);
	deal_out(&m);
	m.part = xcalloc_aligned(nr_tasks(&m), sizeof(*m.part));
	pool_run_shown(h->session->pool, "making rows", nr_tasks(&m), make_part, &m);
	take_parts(&m);
	free(m.part);
	free(m.group);
	group_by_event(h);
}
