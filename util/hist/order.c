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
	u32 *own_rank;			/* by entry->own: the largest period first */
	u32 max_depth;			/* of the event's entries */
	u32 *group, *group_rank;	/* of entries; see make_groups() */
};

/* as many bits as the ranks below nr need */
static u32 bits_for(u64 nr)
{
	return nr > 1 ? 64 - __builtin_clzll(nr - 1) : 0;
}

static void distinct_values(const struct sorter *s, const struct field *f, const struct rows *rows, u32 word,
			    struct rows *out, u32 *value_of)
{
	rows_init(out, 1, 0);
	vec_reserve(&out->word, rows->nr);
	for (u32 i = 0; i < rows->nr; i++)
		value_of[i] = s->h->one_name_a_row && f->is_name ? rows_append(out, rows_at(rows, i) + word) :
			      rows_get(out, rows_at(rows, i) + word);
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

	distinct_values(s, f, rows, word, &values, rank);
	order = xreallocarray(NULL, values.nr + 1, sizeof(u32));
	for (u32 v = 0; v < values.nr; v++) {
		u64 key = *rows_at(&values, v);

		s->pair[v] = (struct sort_pair){ f->prefix ? f->prefix(s->ctx, key) : f->cmp ? 0 : key, v };
	}
	sort_pairs(s->pair, s->tmp, values.nr);
	sort_ties(s->pair, values.nr, &c);
	for (u32 i = 0, r = 0; i < values.nr; i++) {
		if (i && (s->pair[i - 1].key != s->pair[i].key || cmp_values(&s->pair[i - 1], &s->pair[i], &c)))
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

/* rank[i] of what pairs say, the smallest key first; equal keys have one rank. Uses pair up; returns how many ranks there are */
static u32 rank_pairs(struct sorter *s, u32 nr, u32 *rank)
{
	u32 r = 0;

	sort_pairs(s->pair, s->tmp, nr);
	for (u32 i = 0; i < nr; i++) {
		r += i && s->pair[i].key != s->pair[i - 1].key;
		rank[s->pair[i].val] = r;
	}
	return r + 1;
}

static void rank_own(struct sorter *s)
{
	u32 nr = s->h->own.nr;

	s->own_rank = xreallocarray(NULL, nr + 1, sizeof(u32));
	for (u32 i = 0; i < nr; i++)
		s->pair[i] = (struct sort_pair){ ~s->h->own.v[i].period, i };
	rank_pairs(s, nr, s->own_rank);
}

/* what entries are ordered by, least important first */
enum sort_part { BY_KEY, BY_PERIOD, BY_DEPTH, BY_GROUP, BY_PRIMARY };
struct sort_step {
	enum sort_part what;
	u32 key, bits;
	const struct field *stat;
};

static u64 sort_number(const struct sorter *s, const struct hist_event *ev, const struct hist_entry *e,
		       const struct sort_step *step)
{
	struct stat_sums sums;

	switch (step->what) {
	case BY_KEY:
		return s->rank[step->key][s->h->opts.key[step->key]->kind == FIELD_SLOT ? e->base : e->elabel];
	case BY_PERIOD:
		return e->own == HIST_NONE ? s->h->own.nr : s->own_rank[e->own];
	case BY_DEPTH:	/* the caller above the callee */
		return s->h->opts.chain.caller ? s->max_depth - e->max_depth : e->max_depth;
	case BY_GROUP:
		return s->group_rank[s->group[e - ev->entry]];
	default:
		break;
	}
	if (!step->stat)
		return s->h->opts.children ? ~e->period_children : ~hist_entry_period(s->h, e);
	sums = hist_entry_sums(s->h, e);
	return ~step->stat->stat(s->ctx, &sums);
}

/* as many steps as fit into one number are one sort; returns the first that did not fit */
static u32 sort_by(struct sorter *s, const struct hist_event *ev, const struct sort_step *step, u32 nr)
{
	u32 used = 0, bits = 0;

	while (used < nr && bits + step[used].bits <= 64)
		bits += step[used++].bits;
	for (size_t i = 0; i < ev->nr_entries; i++) {
		const struct hist_entry *e = &ev->entry[s->pair[i].val];
		u64 key = 0;

		for (u32 k = used; k-- > 0;)
			key = (step[k].bits < 64 ? key << step[k].bits : 0) | sort_number(s, ev, e, &step[k]);
		s->pair[i].key = key;
	}
	sort_pairs(s->pair, s->tmp, ev->nr_entries);
	return used;
}

/*
 * Entries with the same share stay together thread by thread, the thread with the busiest one first. A group is such a share
 * of one thread; its rank is by the share, then by the busiest.
 */
static u32 make_groups(struct sorter *s, const struct hist_event *ev)
{
	u32 *by_max, nr;
	struct rows groups;

	s->group = xreallocarray(NULL, ev->nr_entries + 1, sizeof(u32));
	rows_init(&groups, 2, 1);
	for (u32 i = 0; i < ev->nr_entries; i++) {
		const struct hist_entry *e = &ev->entry[i];
		u64 *max;

		s->group[i] = rows_get(&groups, (u64[]){ e->period_children, e->base });
		max = rows_sums(&groups, s->group[i]);
		*max = MAX(*max, hist_entry_period(s->h, e));
	}
	by_max = xreallocarray(NULL, groups.nr + 1, sizeof(u32));
	s->group_rank = xreallocarray(NULL, groups.nr + 1, sizeof(u32));
	for (u32 g = 0; g < groups.nr; g++)
		s->pair[g] = (struct sort_pair){ ~*rows_sums(&groups, g), g };
	rank_pairs(s, groups.nr, by_max);
	for (u32 g = 0; g < groups.nr; g++)
		s->pair[g] = (struct sort_pair){ ~*rows_at(&groups, g), g };
	/* both in one number would not fit: ranks by the share, and those of the busiest behind them */
	rank_pairs(s, groups.nr, s->group_rank);
	for (u32 g = 0; g < groups.nr; g++)
		s->pair[g] = (struct sort_pair){ (u64)s->group_rank[g] << 32 | by_max[g], g };
	nr = rank_pairs(s, groups.nr, s->group_rank);
	free(by_max);
	rows_release(&groups);
	return nr;
}

static u32 key_steps(const struct sorter *s, struct sort_step *step, bool only_slots)
{
	const struct hist_opts *o = &s->h->opts;
	u32 nr = 0;

	for (u32 k = o->nr_keys; k-- > 0;) {
		bool slot = o->key[k]->kind == FIELD_SLOT;

		if (slot || !only_slots)
			step[nr++] = (struct sort_step){ BY_KEY, k, bits_for(slot ? s->h->bases.nr : s->h->elabels.nr), NULL };
	}
	return nr;
}

static struct sort_step field_step(const struct sorter *s, const struct field *f)
{
	const struct hist_opts *o = &s->h->opts;

	for (u32 k = 0; k < o->nr_keys; k++)
		if (o->key[k] == f)
			return (struct sort_step){ BY_KEY, k, bits_for(f->kind == FIELD_SLOT ? s->h->bases.nr : s->h->elabels.nr), NULL };
	return (struct sort_step){ BY_PRIMARY, 0, 64, f };
}

/* the order of an event's entries, least important first: how many steps */
static u32 make_steps(struct sorter *s, const struct hist_event *ev, const struct hist_order *order, struct sort_step *step)
{
	const struct hist_opts *o = &s->h->opts;
	const struct field *stat = order->stat;
	u32 nr = 0;

	for (u32 i = order->nr_by; i-- > 0;)
		step[nr++] = field_step(s, order->by[i]);
	if (nr)
		return nr;
	nr = key_steps(s, step, false);
	step[nr++] = (struct sort_step){ BY_PERIOD, 0, bits_for(s->h->own.nr + 1), NULL };
	if (o->chains && o->children && o->chain.mode != CHAIN_MODE_NONE && (!stat || stat == &field_overhead_children)) {
		s->max_depth = 0;
		for (size_t i = 0; i < ev->nr_entries; i++)
			s->max_depth = MAX(s->max_depth, ev->entry[i].max_depth);
		step[nr++] = (struct sort_step){ BY_DEPTH, 0, bits_for(s->max_depth + 1ull), NULL };
		/* depths compare only within one thread or whatever the other keys are */
		nr += key_steps(s, step + nr, true);
		step[nr++] = (struct sort_step){ BY_GROUP, 0, bits_for(make_groups(s, ev)), NULL };
	} else {
		step[nr++] = (struct sort_step){ BY_PRIMARY, 0, 64, stat };
	}
	return nr;
}

/* most important last: the sort is stable */
static void sort_event(struct sorter *s, const struct hist_event *ev, const struct hist_order *order, struct hist_entry *ret)
{
	struct sort_step step[2 * HIST_MAX_KEYS + 4];
	u32 nr = make_steps(s, ev, order, step);

	for (u32 i = 0; i < ev->nr_entries; i++)
		s->pair[i].val = i;
	for (u32 i = 0; i < nr;)
		i += sort_by(s, ev, step + i, nr - i);
	for (size_t i = 0; i < ev->nr_entries; i++)
		ret[i] = ev->entry[s->pair[i].val];
	free(s->group);
	free(s->group_rank);
	s->group = s->group_rank = NULL;
}

void hist_sort(struct hist *h, const struct hist_order *order, const struct field_ctx *ctx)
{
	struct sorter s = { .h = h, .ctx = ctx };
	size_t max = MAX(MAX(h->bases.nr, h->elabels.nr), h->own.nr);
	struct hist_entry *sorted;

	for (u32 e = 0; e < h->nr_events; e++)
		max = MAX(max, h->event[e].nr_entries);
	s.pair = xreallocarray(NULL, max + 1, sizeof(*s.pair));
	s.tmp = xreallocarray(NULL, max + 1, sizeof(*s.tmp));
	sorted = xreallocarray(NULL, h->entry.nr + 1, sizeof(*sorted));
	make_ranks(&s);
	rank_own(&s);
	for (u32 e = 0; e < h->nr_events; e++) {
		struct hist_event *ev = &h->event[e];
		struct hist_entry *to = sorted;

		if (ev->nr_entries) {	/* an empty one has no place among them */
			to += ev->entry - h->entry.v;
			sort_event(&s, ev, order, to);
		}
		ev->entry = to;
	}
	free(h->entry.v);
	h->entry.v = sorted;
	h->entry.alloc = h->entry.nr;
	free(s.own_rank);
	for (u32 i = 0; i < h->opts.nr_keys; i++)
		free(s.rank[i]);
	free(s.pair);
	free(s.tmp);
}
