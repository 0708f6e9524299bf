/* Flame: spans, made to fit. */
#include "flame.h"

#include <stdlib.h>

#define LEAST_WINDOWS 128u	/* of a lane; more than that many are too short for sums of whole stacks */

static int cmp_u64(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

/* by lane and time; then by what makes two spans different ones */
static int cmp_spans(const void *pa, const void *pb)
{
	const struct flame_slot *a = pa, *b = pb;
	int ret = (int)a->thread - b->thread;

	ret = ret ? ret : cmp_u64(a->slot, b->slot);
	ret = ret ? ret : cmp_u64(a->length, b->length);
	ret = ret ? ret : (int)a->state - b->state;
	ret = ret ? ret : cmp_u64(a->node, b->node);
	ret = ret ? ret : (int)a->detail - b->detail;
	return ret ? ret : (a->other > b->other) - (a->other < b->other);
}

static void merge_spans(struct flame *f)
{
	size_t nr = 0;

	if (f->slot.nr)
		qsort(f->slot.v, f->slot.nr, sizeof(*f->slot.v), cmp_spans);
	vec_foreach(&f->slot, s) {
		struct flame_slot *last = nr ? &f->slot.v[nr - 1] : NULL;

		if (!last || cmp_spans(s, last)) {
			f->slot.v[nr++] = *s;
			continue;
		}
		last->period += s->period;
		last->nr += s->nr;
	}
	f->slot.nr = nr;
}

/* in windows of a lane, what a wait was for and who ended it is not kept */
static void use_grain(struct flame *f, u32 grain)
{
	vec_foreach(&f->slot, s) {
		if (s->length >= grain)
			continue;
		s->slot -= s->slot % grain;
		s->length = grain;
		s->other = -1;
		s->detail = 0;
		s->window = true;
	}
	f->grain = grain;
	merge_spans(f);
}

/*
 * The smallest grain that can be enough: spans that are as long as a grain stay as they are. Windows lie in
 * the windows of twice their length, so the result is that of all smaller grains one after the other.
 */
static u32 first_grain(const struct flame *f, size_t max)
{
	size_t shorter[33] = { 0 }, longer = f->slot.nr;	/* by the number of bits of a length */
	u32 bits = 1;

	vec_foreach(&f->slot, s)
		shorter[s->length ? 32 - __builtin_clz(s->length) : 0]++;
	longer -= shorter[0] + shorter[1];
	while (longer > max && bits < 31)
		longer -= shorter[++bits];
	return 1u << bits;
}

/* ---- stacks of windows */

static bool is_of_window(const struct flame_slot *s, const struct flame_slot *first)
{
	return s->window && s->thread == first->thread && s->slot == first->slot && s->state == first->state;
}

/* the sums of a window and state that are below min become part of their callers', the innermost first */
static void fold_window(struct flame *f, struct flame_slot *v, size_t nr, u64 min, u32 *place_of_node)
{
	for (size_t i = 0; i < nr; i++)
		place_of_node[v[i].node] = i + 1;
	for (u32 depth = f->depth; depth > 1; depth--) {
		for (size_t i = 0; i < nr; i++) {
			u32 parent = f->node.v[v[i].node].parent, at;

			if (!v[i].nr || v[i].period >= min || f->node.v[v[i].node].depth != depth)
				continue;
			place_of_node[v[i].node] = 0;
			at = place_of_node[parent];
			if (at) {
				v[at - 1].period += v[i].period;
				v[at - 1].nr += v[i].nr;
				v[i].nr = 0;
			} else {
				v[i].node = parent;
				place_of_node[parent] = i + 1;
			}
		}
	}
	for (size_t i = 0; i < nr; i++)
		if (v[i].nr)
			place_of_node[v[i].node] = 0;
}

static void fold_windows(struct flame *f, u64 min)
{
	u32 *place_of_node = xcalloc(f->node.nr, sizeof(*place_of_node));	/* in v, plus one */
	struct flame_slot *v = f->slot.v;
	size_t nr = 0;

	for (size_t i = 0, end = 0; i < f->slot.nr; i = end) {
		while (end < f->slot.nr && (end == i || is_of_window(&v[end], &v[i])))
			end++;
		if (end - i > 1)
			fold_window(f, v + i, end - i, min, place_of_node);
	}
	for (size_t i = 0; i < f->slot.nr; i++)
		if (v[i].nr)
			v[nr++] = v[i];
	f->slot.nr = nr;
	f->folded = true;
	free(place_of_node);
	merge_spans(f);
}

/* rather than long windows, which do not tell parts of the recording apart */
static void fold_small_sums(struct flame *f, size_t max, u64 tick)
{
	for (u32 part = 64; f->slot.nr > max && part; part /= 2)
		fold_windows(f, f->grain * tick / part);
}

static int cmp_nodes(const void *pa, const void *pb)
{
	const struct flame_slot *a = pa, *b = pb;
	int ret = cmp_u64(a->node, b->node);

	return ret ? ret : (int)a->state - b->state;
}

/* the sums of spans as they were, which are sorted */
static void sum_whole(struct flame *f, struct flame_slot *v, size_t nr)
{
	qsort(v, nr, sizeof(*v), cmp_nodes);
	for (size_t i = 0; i < nr; i++) {
		if (i && !cmp_nodes(&v[i], &v[i - 1]))
			f->whole.v[f->whole.nr - 1].period += v[i].period;
		else
			vec_push(&f->whole, v[i]);
	}
}

/* ---- cells */

/* adds what a span gives to the cells of its lane: ns by cell and state */
static void add_to_cells(const struct flame_slot *s, float *ns, u32 nr, double scale)
{
	double from = s->slot * scale, to = (s->slot + (double)s->length) * scale;
	u32 state = MIN(s->state, FLAME_STATES - 1), last = MIN((u32)to, nr - 1);

	for (u32 i = MIN((u32)from, nr - 1); i <= last; i++) {
		double inside = MIN(to, i + 1.0) - MAX(from, (double)i);

		ns[i * FLAME_STATES + state] += MAX(inside, 0) / (to - from) * s->period;
	}
}

/* shares in tenths: each state that is there at all has at least one, if there is room for it */
static void cell_shares(const float *ns, double whole, u8 *share)
{
	u32 all = 0, most = 0;

	for (u32 i = 0; i < FLAME_STATES; i++) {
		share[i] = MIN((u64)(ns[i] * 10 / whole + 0.5), 10ul);
		share[i] += !share[i] && ns[i] > 0;
		all += share[i];
		if (ns[i] > ns[most])
			most = i;
	}
	while (all > 10 && share[most]) {
		share[most]--;
		all--;
	}
	for (u32 i = 0; all > 10; i = (i + 1) % FLAME_STATES) {
		all -= share[i] > 0;
		share[i] -= share[i] > 0;
	}
}

static void make_cells(struct flame *f, const struct flame_slot *v, size_t nr, const struct view_time *t)
{
	u64 ticks = (t->end - t->start) / t->step + 1;
	u32 cells = MIN(FLAME_LANE_CELLS, FLAME_CELLS / MAX((u32)t->lane.nr, 1u));
	double whole = (double)ticks * t->step / MAX(cells, 1u);
	float *ns;

	if (!t->lane.nr || !cells)
		return;
	ns = xcalloc((size_t)t->lane.nr * cells * FLAME_STATES, sizeof(*ns));
	for (size_t i = 0; i < nr; i++)
		if (v[i].length < f->grain && v[i].thread < t->lane.nr)
			add_to_cells(&v[i], ns + (size_t)v[i].thread * cells * FLAME_STATES, cells,
				     (double)cells / ticks);
	f->nr_lanes = t->lane.nr;
	f->nr_cells = cells;
	f->cell = xcalloc((size_t)f->nr_lanes * cells * FLAME_STATES, 1);
	for (size_t i = 0; i < (size_t)f->nr_lanes * cells; i++)
		cell_shares(ns + i * FLAME_STATES, whole, f->cell + i * FLAME_STATES);
	free(ns);
}

void flame_fit_spans(struct flame *f, size_t max, const struct view_time *t)
{
	struct flame_slot *all = NULL;
	u64 coarse = (t->end - t->start) / t->step / LEAST_WINDOWS;
	size_t nr;

	vec_foreach(&f->slot, s)
		s->window = t->grain && s->length == t->grain;
	merge_spans(f);
	nr = f->slot.nr;
	if (nr > max)
		all = xmemdup(f->slot.v, nr * sizeof(*all));
	for (u32 grain = first_grain(f, max); f->slot.nr > max && grain; grain *= 2) {
		use_grain(f, grain);
		if (grain >= coarse / 2)
			fold_small_sums(f, max, t->step);
	}
	if (f->grain)
		make_cells(f, all, nr, t);
	if (f->folded && f->slot.nr <= max)
		sum_whole(f, all, nr);
	free(all);
	/* one window for each stack of a lane is still too much */
	while (f->slot.nr > max && f->node.nr > 1) {
		flame_prune(f, f->node.nr / 2, 0);
		merge_spans(f);
	}
}
