/*
 * The order of entries. The distinct values of every key field are ranked once; entries are then sorted by
 * integers only, least important first, with a stable sort. A profile can have hundreds of thousands of
 * entries, most of which are equal in all but the name.
 */
#include "order.h"

#include <stdlib.h>
#include "../base/sort.h"
#include "../fields/field-family.h"
#include "sort-order.h"

/* entries of one event; see make_groups() */
struct groups {
	u32 *of;		/* by entry */
	u32 *rank;
	u32 nr_ranks;
	u32 max_depth;		/* of the entries */
};

struct sorter {
	const struct hist *h;
	const struct field_ctx *ctx;
	struct sort_pair *pair, *tmp;	/* for the event with most entries */
	struct hist_entries sorted;
	u32 *rank[HIST_MAX_KEYS];	/* by sample_key (slot fields) or frame_key (frame fields) */
	u32 *settled[HIST_MAX_KEYS];	/* the same with distinct ranks; NULL: they are distinct anyway */
	u32 nr_ranks[HIST_MAX_KEYS], nr_settled[HIST_MAX_KEYS];
	u32 *own_rank;			/* by entry->own: largest period first */
	u32 nr_own_ranks;
	bool by_group, by_latency;	/* by_latency: shares of callees are shares of time */
	struct groups *groups;		/* by event */
};

/* number of bits for ranks below nr */
static u32 bits_for(u64 nr)
{
	return nr > 1 ? 64 - __builtin_clzll(nr - 1) : 0;
}

static void distinct_values(const struct sorter *s, const struct field *f, const struct key_table *rows,
			    u32 word, struct key_table *out, u32 *value_of)
{
	key_table_init(out, 1, 0);
	vec_reserve(&out->word, rows->nr);
	for (u32 i = 0; i < rows->nr; i++)
		value_of[i] = s->h->one_name_a_row && f->is_name ?
			      key_table_append(out, key_table_at(rows, i) + word) :
			      key_table_get(out, key_table_at(rows, i) + word);
}

/* room for nr pairs, and for the buffer of the sort */
static struct sort_pair *new_pairs(size_t nr)
{
	return xreallocarray(NULL, 2 * nr + 1, sizeof(struct sort_pair));
}

struct cmp_ctx {
	const struct field *f;
	const struct field_ctx *ctx;
	const struct key_table *values;
};

static int cmp_values(const void *pa, const void *pb, void *arg)
{
	const struct cmp_ctx *c = arg;
	u64 a = *key_table_at(c->values, ((const struct sort_pair *)pa)->val);
	u64 b = *key_table_at(c->values, ((const struct sort_pair *)pb)->val);

	return c->f->cmp ? c->f->cmp(c->ctx, a, b) : a < b ? -1 : a > b;
}

static int cmp_all(const void *pa, const void *pb, void *arg)
{
	const struct cmp_ctx *c = arg;
	int ret = cmp_values(pa, pb, arg);

	return ret || !c->f->settle ?
	       ret : c->f->settle(c->ctx, *key_table_at(c->values, ((const struct sort_pair *)pa)->val),
				  *key_table_at(c->values, ((const struct sort_pair *)pb)->val));
}

/* pairs are sorted by prefix; orders those with equal prefixes */
static void sort_ties(struct sort_pair *pair, size_t nr, struct cmp_ctx *c)
{
	size_t start = 0;

	for (size_t i = 1; i <= nr; i++) {
		if (i < nr && pair[i].key == pair[start].key)
			continue;
		if (i - start > 1)
			qsort_r(pair + start, i - start, sizeof(*pair), cmp_all, c);
		start = i;
	}
}

/* ranks of rows whose values have numbers, from the ranks of the values */
static u32 *ranks_of(const struct key_table *rows, const u32 *value_of, const u32 *order)
{
	u32 *rank = xreallocarray(NULL, rows->nr + 1, sizeof(u32));

	for (u32 i = 0; i < rows->nr; i++)
		rank[i] = order[value_of[i]];
	return rank;
}

/*
 * Ranks of the rows for the k-th key: the positions of their values among the distinct values in the field's
 * order. Values that cmp regards as equal have the same rank; s->settled then has distinct ranks.
 */
static void rank_rows(struct sorter *s, u32 k)
{
	const struct field *f = s->h->opts.key[k];
	const struct key_table *rows = f->kind == FIELD_SLOT ? &s->h->sample_keys : &s->h->frame_keys;
	u32 *value_of = xreallocarray(NULL, rows->nr + 1, sizeof(u32)), *order, *settled, nr = 0;
	struct key_table values;
	struct cmp_ctx c = { f, s->ctx, &values };
	struct sort_pair *pair;

	distinct_values(s, f, rows, s->h->key_word[k], &values, value_of);
	order = xreallocarray(NULL, values.nr + 1, sizeof(u32));
	settled = xreallocarray(NULL, values.nr + 1, sizeof(u32));
	pair = new_pairs(values.nr);
	for (u32 v = 0; v < values.nr; v++) {
		u64 key = *key_table_at(&values, v);

		pair[v] = (struct sort_pair){ f->prefix ? f->prefix(s->ctx, key) : f->cmp ? 0 : key, v };
	}
	sort_pairs(pair, pair + values.nr, values.nr);
	sort_ties(pair, values.nr, &c);
	for (u32 i = 0; i < values.nr; i++) {
		if (!i || pair[i - 1].key != pair[i].key || cmp_values(&pair[i - 1], &pair[i], &c))
			nr++;
		order[pair[i].val] = nr - 1;
		settled[pair[i].val] = i;
	}
	s->rank[k] = ranks_of(rows, value_of, order);
	s->nr_ranks[k] = nr;
	s->nr_settled[k] = values.nr;
	s->settled[k] = nr < values.nr ? ranks_of(rows, value_of, settled) : NULL;
	key_table_release(&values);
	free(value_of);
	free(order);
	free(settled);
	free(pair);
}

/*
 * writes the rank of each pair to rank[], smallest key first; equal keys have equal ranks. Changes pair;
 * returns the number of ranks
 */
static u32 rank_pairs(struct sort_pair *pair, u32 nr, u32 *rank)
{
	u32 r = 0;

	sort_pairs(pair, pair + nr, nr);
	for (u32 i = 0; i < nr; i++) {
		r += i && pair[i].key != pair[i - 1].key;
		rank[pair[i].val] = r;
	}
	return r + 1;
}

static void rank_own(struct sorter *s)
{
	u32 nr = s->h->own.nr;
	struct sort_pair *pair = new_pairs(nr);

	s->own_rank = xreallocarray(NULL, nr + 1, sizeof(u32));
	for (u32 i = 0; i < nr; i++)
		pair[i] = (struct sort_pair){ ~s->h->own.v[i].period, i };
	s->nr_own_ranks = rank_pairs(pair, nr, s->own_rank);
	free(pair);
}

/*
 * Entries with the same share are grouped by thread, the thread with the largest entry first. A group is such
 * a share of one thread; it is ranked by the share, then by its largest entry.
 */
static void make_groups(const struct sorter *s, const struct hist_event *ev, struct groups *g)
{
	struct sort_pair *pair;
	struct key_table groups;
	u32 *by_max;

	g->of = xreallocarray(NULL, ev->nr_entries + 1, sizeof(u32));
	key_table_init(&groups, 2, 1);
	for (u32 i = 0; i < ev->nr_entries; i++) {
		const struct hist_entry *e = blocks_at(&s->h->entry, ev->first + i);
		u64 *max;

		g->max_depth = MAX(g->max_depth, e->max_depth);
		g->of[i] = key_table_get(&groups,
					 (u64[]){ s->by_latency ? s->h->more.v[e->own].latency_children :
						      e->period_children,
						      e->sample_key });
		max = key_table_sums(&groups, g->of[i]);
		*max = MAX(*max, hist_entry_period(s->h, e));
	}
	by_max = xreallocarray(NULL, groups.nr + 1, sizeof(u32));
	g->rank = xreallocarray(NULL, groups.nr + 1, sizeof(u32));
	pair = new_pairs(groups.nr);
	for (u32 i = 0; i < groups.nr; i++)
		pair[i] = (struct sort_pair){ ~*key_table_sums(&groups, i), i };
	rank_pairs(pair, groups.nr, by_max);
	for (u32 i = 0; i < groups.nr; i++)
		pair[i] = (struct sort_pair){ ~*key_table_at(&groups, i), i };
	/* both do not fit into one number: first the ranks by the share, then those by the largest entry */
	rank_pairs(pair, groups.nr, g->rank);
	for (u32 i = 0; i < groups.nr; i++)
		pair[i] = (struct sort_pair){ (u64)g->rank[i] << 32 | by_max[i], i };
	g->nr_ranks = rank_pairs(pair, groups.nr, g->rank);
	free(by_max);
	free(pair);
	key_table_release(&groups);
}

/* ranks of every key, of the entries' own sums, and of every event's groups */
static void rank_task(void *arg, unsigned int worker, size_t i)
{
	struct sorter *s = arg;
	const struct hist *h = s->h;
	u32 nr_keys = h->opts.nr_keys;

	if (i < nr_keys) {
		rank_rows(s, nr_keys - 1 - i);	/* names are mostly the last keys, and take longest */
	} else if (i == nr_keys) {
		rank_own(s);
	} else if (s->by_group) {
		make_groups(s, &h->event[i - nr_keys - 1], &s->groups[i - nr_keys - 1]);
	}
}

/* by what entries are ordered, least important first */
enum sort_part { BY_SETTLED, BY_KEY, BY_PERIOD, BY_DEPTH, BY_GROUP, BY_PRIMARY };
struct sort_step {
	enum sort_part what;
	u32 key, bits;
	const struct field *stat;
};

/* the number of the i-th entry of the event */
static u64 sort_number(const struct sorter *s, const struct hist_event *ev, u32 i, const struct hist_entry *e,
		       const struct sort_step *step)
{
	struct stat_sums sums;
	const u32 *rank;

	switch (step->what) {
	case BY_SETTLED:
	case BY_KEY:
		rank = step->what == BY_KEY ? s->rank[step->key] : s->settled[step->key];
		return rank[s->h->opts.key[step->key]->kind == FIELD_SLOT ? e->sample_key : e->frame_key];
	case BY_PERIOD:
		return e->own == HIST_NONE ? s->nr_own_ranks : s->own_rank[e->own];
	case BY_DEPTH:	/* the caller before the callee */
		return s->h->opts.chain.caller ?
		       s->groups[ev - s->h->event].max_depth - e->max_depth : e->max_depth;
	case BY_GROUP:
		return s->groups[ev - s->h->event].rank[s->groups[ev - s->h->event].of[i]];
	default:
		break;
	}
	if (step->stat == &field_overhead_children)
		return ~e->period_children;
	sums = hist_entry_sums(s->h, e);
	return ~step->stat->stat(s->ctx, &sums);
}

struct sort_pass {
	const struct sorter *s;
	const struct hist_event *ev;
	const struct sort_step *step;
	u32 nr_steps;
};
#define SORT_BATCH 16384

static void number_batch(void *arg, unsigned int worker, size_t batch)
{
	const struct sort_pass *p = arg;
	struct sort_pair *pair = p->s->pair;

	for (size_t i = batch * SORT_BATCH; i < MIN((batch + 1) * SORT_BATCH, p->ev->nr_entries); i++) {
		const struct hist_entry *e = blocks_at(&p->s->h->entry, p->ev->first + pair[i].val);
		u64 key = 0;

		for (u32 k = p->nr_steps; k-- > 0;)
			key = (p->step[k].bits < 64 ? key << p->step[k].bits : 0) |
			      sort_number(p->s, p->ev, pair[i].val, e, &p->step[k]);
		pair[i].key = key;
	}
}

static void take_batch(void *arg, unsigned int worker, size_t batch)
{
	const struct sort_pass *p = arg;

	for (size_t i = batch * SORT_BATCH; i < MIN((batch + 1) * SORT_BATCH, p->ev->nr_entries); i++)
		*blocks_at(&p->s->sorted, p->ev->first + i) = *blocks_at(&p->s->h->entry,
									 p->ev->first + p->s->pair[i].val);
}

/* one sort for as many steps as fit into one number; returns the first that did not fit */
static u32 sort_by(const struct sorter *s, const struct hist_event *ev, const struct sort_step *step, u32 nr)
{
	struct sort_pass p = { .s = s, .ev = ev, .step = step };
	u32 bits = 0;

	while (p.nr_steps < nr && bits + step[p.nr_steps].bits <= 64)
		bits += step[p.nr_steps++].bits;
	pool_run(s->h->session->pool, (ev->nr_entries + SORT_BATCH - 1) / SORT_BATCH, number_batch, &p);
	sort_pairs(s->pair, s->tmp, ev->nr_entries);
	return p.nr_steps;
}

static struct sort_step key_step(const struct sorter *s, enum sort_part what, u32 k)
{
	return (struct sort_step){ what, k, bits_for(what == BY_KEY ? s->nr_ranks[k] : s->nr_settled[k]),
				   NULL };
}

static u32 slot_steps(const struct sorter *s, struct sort_step *step)
{
	const struct hist_opts *o = &s->h->opts;
	u32 nr = 0;

	for (u32 k = o->nr_keys; k-- > 0;)
		if (o->key[k]->kind == FIELD_SLOT)
			step[nr++] = key_step(s, BY_KEY, k);
	return nr;
}

/* entries that differ only in what is not shown must not be in the order in which threads found them */
static u32 settled_steps(const struct sorter *s, struct sort_step *step)
{
	u32 nr = 0;

	for (u32 k = s->h->opts.nr_keys; k-- > 0;)
		if (s->settled[k])
			step[nr++] = key_step(s, BY_SETTLED, k);
	return nr;
}

static struct sort_step field_step(const struct sorter *s, const struct field *f)
{
	const struct hist_opts *o = &s->h->opts;

	if (f == &field_overhead)
		return (struct sort_step){ BY_PERIOD, 0, bits_for(s->nr_own_ranks + 1ull), NULL };
	for (u32 k = 0; k < o->nr_keys; k++)
		if (o->key[k] == f)
			return key_step(s, BY_KEY, k);
	return (struct sort_step){ BY_PRIMARY, 0, 64, f };
}

/* the keys that are not in the order */
static u32 other_keys(const struct sorter *s, const struct hist_order *order, struct sort_step *step)
{
	const struct hist_opts *o = &s->h->opts;
	u32 nr = 0, i;

	for (u32 k = o->nr_keys; k-- > 0;) {
		for (i = 0; i < order->nr_by && order->by[i] != o->key[k];)
			i++;
		if (i == order->nr_by)
			step[nr++] = key_step(s, BY_KEY, k);
	}
	return nr;
}

/* the order of an event's entries, least important first; returns the number of steps */
static u32 make_steps(const struct sorter *s, const struct hist_event *ev, const struct hist_order *order,
		      struct sort_step *step)
{
	const struct groups *g = &s->groups[ev - s->h->event];
	u32 nr = settled_steps(s, step);

	nr += other_keys(s, order, step + nr);
	for (u32 i = order->nr_by; i-- > s->by_group;)
		step[nr++] = field_step(s, order->by[i]);
	if (!s->by_group)
		return nr;
	step[nr++] = (struct sort_step){ BY_DEPTH, 0, bits_for(g->max_depth + 1ull), NULL };
	/* depths are compared within one thread only, or whatever the other keys are */
	nr += slot_steps(s, step + nr);
	step[nr++] = (struct sort_step){ BY_GROUP, 0, bits_for(g->nr_ranks), NULL };
	return nr;
}

static bool comes_again(const struct sort_step *step, u32 i, u32 nr)
{
	for (u32 later = i + 1; later < nr; later++)
		if (step[later].what == step[i].what && step[later].key == step[i].key &&
		    step[later].stat == step[i].stat)
			return true;
	return false;
}

/*
 * Fewer steps are fewer passes: removes steps that are repeated later, and keys directly after their distinct
 * ranks, because these change nothing. Returns how many are left.
 */
static u32 drop_idle(struct sort_step *step, u32 nr)
{
	u32 kept = 0;

	for (u32 i = 0; i < nr; i++) {
		if (comes_again(step, i, nr))
			continue;
		if (kept && step[i].what == BY_KEY && step[kept - 1].what == BY_SETTLED &&
		    step[kept - 1].key == step[i].key)
			continue;
		step[kept++] = step[i];
	}
	return kept;
}

/* the most important one last: the sort is stable */
static void sort_event(const struct sorter *s, const struct hist_event *ev, const struct hist_order *order)
{
	struct sort_step step[SORT_MAX_COLUMNS + 3 * HIST_MAX_KEYS + 4];
	struct sort_pass p = { .s = s, .ev = ev };
	u32 nr = drop_idle(step, make_steps(s, ev, order, step));

	for (u32 i = 0; i < ev->nr_entries; i++)
		s->pair[i].val = i;
	for (u32 i = 0; i < nr;)
		i += sort_by(s, ev, step + i, nr - i);
	pool_run(s->h->session->pool, (ev->nr_entries + SORT_BATCH - 1) / SORT_BATCH, take_batch, &p);
}

static void sorter_release(struct sorter *s)
{
	free(s->own_rank);
	for (u32 i = 0; i < s->h->opts.nr_keys; i++) {
		free(s->rank[i]);
		free(s->settled[i]);
	}
	for (u32 e = 0; e < s->h->nr_events; e++) {
		free(s->groups[e].of);
		free(s->groups[e].rank);
	}
	free(s->groups);
	free(s->pair);
	free(s->tmp);
}

static bool is_children(const struct field *f)
{
	return f == &field_overhead_children || f == &field_latency_children;
}

void hist_sort(struct hist *h, const struct hist_order *order, const struct field_ctx *ctx)
{
	const struct hist_opts *o = &h->opts;
	struct sorter s = { .h = h, .ctx = ctx,
		.by_group = o->chains && o->children && o->chain.mode != CHAIN_MODE_NONE &&
		order->nr_by && is_children(order->by[0]),
		.by_latency = order->nr_by && order->by[0] == &field_latency_children };
	size_t max = 0;

	for (u32 e = 0; e < h->nr_events; e++)
		max = MAX(max, h->event[e].nr_entries);
	s.groups = xcalloc(h->nr_events + 1, sizeof(*s.groups));
	pool_run(h->session->pool, o->nr_keys + 1 + h->nr_events, rank_task, &s);
	s.pair = xreallocarray(NULL, max + 1, sizeof(*s.pair));
	s.tmp = xreallocarray(NULL, max + 1, sizeof(*s.tmp));
	blocks_resize(&s.sorted, h->entry.nr);
	for (u32 e = 0; e < h->nr_events; e++)
		if (h->event[e].nr_entries)
			sort_event(&s, &h->event[e], order);
	sorter_release(&s);
	blocks_release(&h->entry);
	h->entry = s.sorted;
}
