/*
 * The order of entries. Every key field's distinct values are ranked once; entries are then sorted by integers alone, least
 * important first, with a stable sort. A profile can have hundreds of thousands of entries, most of them equal in all but name.
 */
#include "fold.h"

#include <stdlib.h>
#include "../base/sort.h"
#include "../fields/field-internal.h"

struct sorter {
	const struct hist *h;
	const struct field_ctx *ctx;
	struct sort_pair *pair, *tmp;	/* for the largest of what is sorted */
	u32 *rank[HIST_MAX_KEYS];	/* by base (slot fields) or elabel (frame fields) */
	struct rows groups;		/* share with children, base -> largest share of an entry itself */
};

static void distinct_values(const struct rows *rows, u32 word, struct rows *out, u32 *value_of)
{
	rows_init(out, 1, 0);
	for (u32 i = 0; i < rows->nr; i++)
		value_of[i] = rows_get(out, rows_at(rows, i) + word);
}

struct cmp_ctx {
	const struct field *f;
	const struct field_ctx *ctx;
	const struct rows *values;
};

static int cmp_values(const void *pa, const void *pb, void *arg)
{
	const struct cmp_ctx *c = arg;
	u64 a = *rows_at(c->values, ((const struct sort_pair *)pa)->val);
	u64 b = *rows_at(c->values, ((const struct sort_pair *)pb)->val);

	return c->f->cmp ? c->f->cmp(c->ctx, a, b) : a < b ? -1 : a > b;
}

/* pairs are sorted by prefix; settle what prefixes left open */
static void sort_ties(struct sort_pair *pair, size_t nr, struct cmp_ctx *c)
{
	size_t start = 0;

	for (size_t i = 1; i <= nr; i++) {
		if (i < nr && pair[i].key == pair[start].key)
			continue;
		if (i - start > 1)
			qsort_r(pair + start, i - start, sizeof(*pair), cmp_values, c);
		start = i;
	}
}

/* rank[i]: position of the i-th row's value among the distinct ones in the field's order */
static u32 *rank_rows(struct sorter *s, const struct field *f, const struct rows *rows, u32 word)
{
	u32 *rank = xreallocarray(NULL, rows->nr + 1, sizeof(u32)), *order;
	struct rows values;
	struct cmp_ctx c = { f, s->ctx, &values };

	distinct_values(rows, word, &values, rank);
	order = xreallocarray(NULL, values.nr + 1, sizeof(u32));
	for (u32 v = 0; v < values.nr; v++) {
		u64 key = *rows_at(&values, v);

		s->pair[v] = (struct sort_pair){ f->prefix ? f->prefix(s->ctx, key) : f->cmp ? 0 : key, v };
	}
	sort_pairs(s->pair, s->tmp, values.nr);
	sort_ties(s->pair, values.nr, &c);
	for (u32 i = 0, r = 0; i < values.nr; i++) {
		if (i && cmp_values(&s->pair[i - 1], &s->pair[i], &c))
			r++;
		order[s->pair[i].val] = r;
	}
	for (u32 i = 0; i < rows->nr; i++)
		rank[i] = order[rank[i]];
	rows_release(&values);
	free(order);
	return rank;
}

static void make_ranks(struct sorter *s)
{
	u32 slot_word = 1, frame_word = 0;

	for (u32 i = 0; i < s->h->opts.nr_keys; i++) {
		const struct field *f = s->h->opts.key[i];

		s->rank[i] = f->kind == FIELD_SLOT ? rank_rows(s, f, &s->h->bases, slot_word++) :
						     rank_rows(s, f, &s->h->elabels, frame_word++);
	}
}

static void sort_by_rank(struct sorter *s, const struct hist_event *ev, u32 key)
{
	bool slot = s->h->opts.key[key]->kind == FIELD_SLOT;

	for (size_t i = 0; i < ev->nr_entries; i++) {
		const struct hist_entry *e = &ev->entry[s->pair[i].val];

		s->pair[i].key = s->rank[key][slot ? e->base : e->elabel];
	}
	sort_pairs(s->pair, s->tmp, ev->nr_entries);
}

enum sort_number { BY_PRIMARY, BY_PERIOD, BY_DEPTH, BY_GROUP };

static u64 sort_number(struct sorter *s, const struct hist_entry *e, const struct field *stat, enum sort_number what)
{
	switch (what) {
	case BY_PRIMARY:
		if (stat) {
			struct stat_sums sums = hist_entry_sums(s->h, e);

			return ~stat->stat(s->ctx, &sums);
		}
		return s->h->opts.children ? ~e->period_children : ~hist_entry_period(s->h, e);
	case BY_PERIOD:
		return ~hist_entry_period(s->h, e);
	case BY_GROUP:
		return ~*rows_sums(&s->groups, rows_get(&s->groups, (u64[]){ e->period_children, e->base }));
	default:	/* the caller above the callee */
		return s->h->opts.chain.caller ? ~(u64)e->max_depth : e->max_depth;
	}
}

static void sort_by_number(struct sorter *s, const struct hist_event *ev, const struct field *stat, enum sort_number what)
{
	for (size_t i = 0; i < ev->nr_entries; i++)
		s->pair[i].key = sort_number(s, &ev->entry[s->pair[i].val], stat, what);
	sort_pairs(s->pair, s->tmp, ev->nr_entries);
}

/* entries with the same share stay together thread by thread, the thread with the busiest one first */
static void make_groups(struct sorter *s, const struct hist_event *ev)
{
	rows_init(&s->groups, 2, 1);
	for (const struct hist_entry *e = ev->entry; e < ev->entry + ev->nr_entries; e++) {
		u64 *max = rows_sums(&s->groups, rows_get(&s->groups, (u64[]){ e->period_children, e->base }));

		*max = MAX(*max, hist_entry_period(s->h, e));
	}
}

/* cycle by cycle, as a copy of all entries would be large */
void entries_permute(struct hist_entry *e, struct sort_pair *pair, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct hist_entry first = e[i];
		size_t at = i;

		while (pair[at].val != i) {
			size_t from = pair[at].val;

			if (from == at)
				break;
			e[at] = e[from];
			pair[at].val = at;
			at = from;
		}
		if (at != i) {
			e[at] = first;
			pair[at].val = at;
		}
	}
}

/* most important last: the sort is stable */
static void sort_event(struct sorter *s, struct hist_event *ev, const struct field *stat)
{
	const struct hist_opts *o = &s->h->opts;
	size_t nr = ev->nr_entries;

	for (u32 i = 0; i < nr; i++)
		s->pair[i].val = i;
	for (u32 k = o->nr_keys; k-- > 0;)
		sort_by_rank(s, ev, k);
	sort_by_number(s, ev, stat, BY_PERIOD);
	if (o->chains && o->children && o->chain.mode != CHAIN_MODE_NONE && (!stat || stat == &field_overhead_children)) {
		sort_by_number(s, ev, stat, BY_DEPTH);
		/* depths compare only within one thread or whatever the other keys are */
		for (u32 k = o->nr_keys; k-- > 0;)
			if (o->key[k]->kind == FIELD_SLOT)
				sort_by_rank(s, ev, k);
		make_groups(s, ev);
		sort_by_number(s, ev, stat, BY_GROUP);
		rows_release(&s->groups);
	}
	sort_by_number(s, ev, stat, BY_PRIMARY);
	entries_permute(ev->entry, s->pair, nr);
}

void hist_sort(struct hist *h, const struct field *stat, const struct field_ctx *ctx)
{
	struct sorter s = { .h = h, .ctx = ctx };
	size_t max = MAX(h->bases.nr, h->elabels.nr);

	for (u32 e = 0; e < h->nr_events; e++)
		max = MAX(max, h->event[e].nr_entries);
	s.pair = xreallocarray(NULL, max + 1, sizeof(*s.pair));
	s.tmp = xreallocarray(NULL, max + 1, sizeof(*s.tmp));
	make_ranks(&s);
	for (u32 e = 0; e < h->nr_events; e++)
		if (h->event[e].nr_entries)
			sort_event(&s, &h->event[e], stat);
	for (u32 i = 0; i < h->opts.nr_keys; i++)
		free(s.rank[i]);
	free(s.pair);
	free(s.tmp);
}
