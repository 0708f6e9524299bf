/*
 * Maps: the maps of one address space over time, built by appending, frozen into arrays, searched by address
 * and time.
 */
#include "machine-private.h"
#include "../base/search.h"

#include <string.h>

#define DEPTH_FLAT 16	/* number of generations of forks that may be searched one after another */

static struct when map_when(const struct machine *w, u32 map)
{
	return w->map.v[map].from;
}

/* number of own maps at that time: own[0..n) */
static u32 nr_visible(const struct machine *w, const struct maps *s, struct when when)
{
	u32 nr = s->nr_own;

	if (!nr || !when_before(when, map_when(w, s->own[nr - 1])))
		return nr;
	return LOWER_BOUND(nr, i, !when_before(when, map_when(w, s->own[i])));
}

static void own_reserve(struct maps *s, u64 nr)
{
	if (nr <= s->alloc_own)
		return;
	s->alloc_own = MAX(nr, MAX(s->alloc_own * 2ull, 4ull));
	s->own = xreallocarray(s->own, s->alloc_own, sizeof(*s->own));
}

/*
 * Shortens a long chain of forks by copying the maps of the ancestors, oldest first. Done when the chain is
 * long in proportion to what must be copied, so that the copies stay a constant factor of the input.
 */
static void maps_flatten(struct machine *w, struct maps *s)
{
	struct { u32 maps, nr; } *chain;
	u32 nr = 0, seen = s->parent_nr;

	if (s->depth <= DEPTH_FLAT || s->inherited / 8 > s->depth)
		return;
	chain = xmalloc(s->depth * sizeof(*chain));
	for (u32 p = s->parent; p != ID_NONE && nr < s->depth; p = w->maps.v[p].parent) {
		chain[nr].maps = p;
		chain[nr++].nr = seen;
		seen = w->maps.v[p].parent_nr;
	}
	own_reserve(s, s->inherited);
	while (nr--) {
		memcpy(s->own + s->nr_own, w->maps.v[chain[nr].maps].own, chain[nr].nr * sizeof(*s->own));
		s->nr_own += chain[nr].nr;
	}
	free(chain);
	s->parent = ID_NONE;
	s->depth = s->inherited = 0;
}

u32 maps_new(struct machine *w, s32 pid, u32 parent)
{
	struct maps s = { .pid = pid, .parent = parent, .own_text = parent == ID_NONE };

	if (parent != ID_NONE) {
		s.mnt_ns = w->maps.v[parent].mnt_ns;
		s.cgroup_ns = w->maps.v[parent].cgroup_ns;
		s.parent_nr = w->maps.v[parent].nr_own;
		/* a parent without own maps is only a needless step */
		while (s.parent != ID_NONE && !s.parent_nr) {
			s.parent_nr = w->maps.v[s.parent].parent_nr;
			s.parent = w->maps.v[s.parent].parent;
		}
	}
	if (s.parent != ID_NONE) {
		s.depth = w->maps.v[s.parent].depth + 1;
		s.inherited = w->maps.v[s.parent].inherited + s.parent_nr;
		maps_flatten(w, &s);
	}
	vec_push(&w->maps, s);
	return w->maps.nr - 1;
}

void maps_add_map(struct machine *w, u32 maps, u32 map)
{
	struct maps *s = &w->maps.v[maps];

	own_reserve(s, s->nr_own + 1ull);
	s->own[s->nr_own++] = map;
}

struct start_row {
	u64 start;
	u32 pos;
};

static int cmp_start(const void *a, const void *b)
{
	const struct start_row *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->pos < y->pos ? -1 : x->pos > y->pos;
}

/* true if no two own maps overlap: start[] and flat[] are set then */
static bool freeze_flat(struct machine *w, struct maps *s)
{
	struct start_row *rows = xmalloc(s->nr_own * sizeof(*rows));
	bool disjoint = true;

	for (u32 i = 0; i < s->nr_own; i++)
		rows[i] = (struct start_row){ w->map.v[s->own[i]].start, i };
	qsort(rows, s->nr_own, sizeof(*rows), cmp_start);
	for (u32 i = 1; i < s->nr_own && disjoint; i++)
		disjoint = w->map.v[s->own[rows[i - 1].pos]].end <= rows[i].start;
	if (disjoint) {
		s->nr_start = s->nr_own;
		s->start = xreallocarray(NULL, s->nr_own, sizeof(*s->start));
		s->flat = xreallocarray(NULL, s->nr_own, sizeof(*s->flat));
		for (u32 i = 0; i < s->nr_own; i++) {
			s->start[i] = rows[i].start;
			s->flat[i] = rows[i].pos;
		}
	}
	free(rows);
	return disjoint;
}

static int cmp_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* the last position whose start is <= ip, or -1 */
static inline s64 start_find(const struct maps *s, u64 ip)
{
	const u64 *base = s->start;
	u32 n = s->nr_start;

	if (!n || ip < base[0])
		return -1;
	while (n > 1) {
		u32 half = n / 2;

		base += base[half] <= ip ? half : 0;
		n -= half;
	}
	return base - s->start;
}

/* runs the following statement for each node of the tree that a map covers completely */
#define TREE_FOREACH_NODE(s, m, n) \
	for (u32 _l = start_find(s, (m)->start) + (s)->nr_start, \
	     _r = start_find(s, (m)->end) + (s)->nr_start; _l < _r; _l /= 2, _r /= 2) \
		for (u32 _k = 0, n; _k < 2; _k++) \
			if ((n = _k ? (_r & 1 ? --_r : 0) : (_l & 1 ? _l++ : 0)))

static void freeze_tree(struct machine *w, struct maps *s)
{
	u64 *b = xmalloc(s->nr_own * 2ull * sizeof(*b));
	u32 nr = 0, *first, *fill;

	for (u32 i = 0; i < s->nr_own; i++) {
		b[2 * i] = w->map.v[s->own[i]].start;
		b[2 * i + 1] = w->map.v[s->own[i]].end;
	}
	qsort(b, 2ull * s->nr_own, sizeof(*b), cmp_u64);
	for (u32 i = 0; i < 2 * s->nr_own; i++)
		if (!nr || b[nr - 1] != b[i])
			b[nr++] = b[i];
	s->nr_start = nr;
	s->start = xreallocarray(b, nr, sizeof(*b));
	first = s->node_first = xcalloc(2ull * nr + 1, sizeof(*first));
	for (u32 i = 0; i < s->nr_own; i++)
		TREE_FOREACH_NODE(s, &w->map.v[s->own[i]], n)
			first[n + 1]++;
	for (u32 n = 0; n < 2 * nr; n++)
		first[n + 1] += first[n];
	s->node = xreallocarray(NULL, MAX(first[2 * nr], 1u), sizeof(*s->node));
	fill = xmemdup(first, 2ull * nr * sizeof(*fill));
	for (u32 i = 0; i < s->nr_own; i++)
		TREE_FOREACH_NODE(s, &w->map.v[s->own[i]], n)
			s->node[fill[n]++] = i;
	free(fill);
}

static void thaw(struct maps *s)
{
	free(s->start);
	free(s->flat);
	free(s->node_first);
	free(s->node);
	s->start = NULL;
	s->flat = s->node_first = s->node = NULL;
	s->nr_start = 0;
}

void maps_freeze(struct machine *w, struct maps *s)
{
	if (s->nr_own == s->nr_frozen)
		return;
	thaw(s);
	if (!freeze_flat(w, s))
		freeze_tree(w, s);
	s->nr_frozen = s->nr_own;
}

void maps_release(struct maps *s)
{
	thaw(s);
	free(s->own);
}

static void narrow(struct loc_span *valid, u64 lo, u64 hi)
{
	valid->lo = MAX(valid->lo, lo);
	valid->hi = MIN(valid->hi, hi);
}

/* the end of the i-th piece of start[]: the next start */
static u64 start_after(const struct maps *s, s64 i)
{
	return i + 1 < s->nr_start ? s->start[i + 1] : UINT64_MAX;
}

/*
 * Own maps only. Returns the position in own[] of the newest map at ip among the oldest nr_vis, or ID_NONE;
 * *ret_next is the position of the first later map that changes the answer, or ID_NONE. valid->lo and hi are
 * narrowed to the addresses with the same answers.
 */
static u32 find_flat(const struct machine *w, const struct maps *s, u64 ip, u32 nr_vis, u32 *ret_next,
		     struct loc_span *valid)
{
	s64 i = start_find(s, ip);
	const struct map *m;
	u32 pos;

	if (i < 0) {
		narrow(valid, 0, start_after(s, i));
		return ID_NONE;
	}
	pos = s->flat[i];
	m = &w->map.v[s->own[pos]];
	if (ip >= m->end) {
		narrow(valid, m->end, start_after(s, i));
		return ID_NONE;
	}
	narrow(valid, m->start, m->end);
	if (pos < nr_vis)
		return pos;
	*ret_next = pos;
	return ID_NONE;
}

static u32 find_tree(const struct maps *s, u64 ip, u32 nr_vis, u32 *ret_next, struct loc_span *valid)
{
	u32 best = ID_NONE;
	s64 i = start_find(s, ip);

	narrow(valid, i < 0 ? 0 : s->start[i], start_after(s, i));
	if (i < 0)
		return ID_NONE;
	for (u32 n = i + s->nr_start; n; n /= 2) {
		u32 first = s->node_first[n], end = s->node_first[n + 1];
		u32 lo = first + LOWER_BOUND(end - first, k, s->node[first + k] < nr_vis);

		if (lo > first && (best == ID_NONE || s->node[lo - 1] > best))
			best = s->node[lo - 1];
		if (lo < end)
			*ret_next = MIN(*ret_next, s->node[lo]);
	}
	return best;
}

static u32 find_own(const struct machine *w, const struct maps *s, u64 ip, u32 nr_vis, u32 *ret_next,
		    struct loc_span *valid)
{
	*ret_next = ID_NONE;
	if (!s->nr_own)
		return ID_NONE;
	return s->flat ? find_flat(w, s, ip, nr_vis, ret_next, valid) :
			 find_tree(s, ip, nr_vis, ret_next, valid);
}

const struct map *maps_find(const struct machine *w, u32 maps, u64 ip, struct when when,
			    struct loc_span *valid)
{
	const struct maps *s = &w->maps.v[maps];
	u32 next, pos;

	*valid = (struct loc_span){ 0, UINT64_MAX, 0, UINT64_MAX };
	pos = find_own(w, s, ip, nr_visible(w, s, when), &next, valid);
	if (pos != ID_NONE)
		valid->from = w->map.v[s->own[pos]].from.time;
	if (next != ID_NONE)
		valid->to = w->map.v[s->own[next]].from.time;
	while (pos == ID_NONE && s->parent != ID_NONE) {
		u32 nr = s->parent_nr;

		s = &w->maps.v[s->parent];
		pos = find_own(w, s, ip, nr, &next, valid);
	}
	if (pos == ID_NONE || w->map.v[s->own[pos]].dso == ID_NONE)
		return NULL;
	return &w->map.v[s->own[pos]];
}

size_t machine_maps_at_end(const struct machine *w, u32 maps, struct map **ret)
{
	struct { VEC(u64); } bound = { 0 };
	struct { VEC(struct map); } out = { 0 };
	struct loc_span valid;

	for (u32 i = maps, nr = UINT32_MAX; i < w->maps.nr;
	     nr = w->maps.v[i].parent_nr, i = w->maps.v[i].parent) {
		const struct maps *s = &w->maps.v[i];

		for (u32 k = 0; k < MIN(s->nr_own, nr); k++) {
			vec_push(&bound, w->map.v[s->own[k]].start);
			vec_push(&bound, w->map.v[s->own[k]].end);
		}
	}
	if (bound.nr)
		qsort(bound.v, bound.nr, sizeof(*bound.v), cmp_u64);
	for (size_t i = 0; i + 1 < bound.nr; i++) {
		const struct map *m;
		struct map row;

		if (bound.v[i] == bound.v[i + 1])
			continue;
		m = maps_find(w, maps, bound.v[i], WHEN_END, &valid);
		if (!m)
			continue;
		row = *m;
		row.start = bound.v[i];
		row.end = bound.v[i + 1];
		row.pgoff += row.start - m->start;
		if (out.nr && out.v[out.nr - 1].end == row.start &&
		    out.v[out.nr - 1].from.off == row.from.off)
			/* cut at the boundary of a map that is hidden here */
			out.v[out.nr - 1].end = row.end;
		else
			vec_push(&out, row);
	}
	vec_release(&bound);
	*ret = out.v;
	return out.nr;
}
