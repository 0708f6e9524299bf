/* Lanes: see lanes.h. */
#include "lanes.h"

#include <stdlib.h>

/* of each kind; then one for the rest */
#define MAX_LANES 32u
#define MAX_SPAN_LANES 8192u

static int cmp_busy(const void *pa, const void *pb)
{
	const struct hist_lane *a = pa, *b = pb;

	if (a->nr != b->nr)
		return a->nr < b->nr ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

static int cmp_id(const void *pa, const void *pb)
{
	const struct hist_lane *a = pa, *b = pb;

	return (a->id > b->id) - (a->id < b->id);
}

/* others: the lane of all that have none */
static u64 lane_hash(u32 event, u32 kind, u32 id, bool others)
{
	return hash_mix(hash_u64((u64)event << 32 | kind << 1 | others), others ? 0 : id);
}

static const struct hist_lane *find_lane(const struct hist_slots *s, u32 event, u32 kind, u32 id, bool others)
{
	u32 at;

	HIDX_FOREACH(&s->lane_idx, lane_hash(event, kind, id, others), at) {
		const struct hist_lane *l = &s->lane.v[at];

		if (l->event == event && l->kind == kind && !l->nr_others != others &&
		    (others || l->id == id))
			return l;
	}
	return NULL;
}

const struct hist_lane *hist_lane_of(const struct hist_slots *s, u32 event, u32 kind, u32 id)
{
	const struct hist_lane *l = find_lane(s, event, kind, id, false);

	return l ? l : find_lane(s, event, kind, 0, true);
}

static void add_lane(struct hist_slots *s, const struct hist_lane *lane)
{
	u32 at = s->lane.nr && s->lane.v[s->lane.nr - 1].event == lane->event ?
		 s->lane.v[s->lane.nr - 1].at + 1 : 0;

	hidx_insert(&s->lane_idx, lane_hash(lane->event, lane->kind, lane->id, lane->nr_others), s->lane.nr);
	vec_push(&s->lane, *lane);
	s->lane.v[s->lane.nr - 1].at = at;
}

struct lane_sums {
	VEC(struct hist_lane);
};

/* of one event and kind: the busiest ones, then the sum of the others */
static void choose(struct hist_slots *s, struct lane_sums *all)
{
	size_t nr = MIN(all->nr, (size_t)(s->spans ? MAX_SPAN_LANES : MAX_LANES));
	struct hist_lane rest = { .event = all->v[0].event, .kind = all->v[0].kind,
				  .nr_others = all->nr - nr };

	qsort(all->v, all->nr, sizeof(*all->v), cmp_busy);
	if (rest.kind == LANE_CPU)
		qsort(all->v, nr, sizeof(*all->v), cmp_id);
	for (size_t i = 0; i < all->nr; i++) {
		if (i < nr)
			add_lane(s, &all->v[i]);
		else
			rest.nr += all->v[i].nr;
	}
	if (rest.nr_others)
		add_lane(s, &rest);
	all->nr = 0;
}

void hist_lanes_choose(struct hist_slots *s)
{
	struct lane_sums all = { 0 };

	vec_foreach(&s->cell, c) {
		struct hist_lane *last = all.nr ? &all.v[all.nr - 1] : NULL;

		if (last && (last->event != c->event || last->kind != c->kind)) {
			choose(s, &all);
			last = NULL;
		}
		if (!last || last->id != c->id) {
			vec_push(&all, (struct hist_lane){ .event = c->event, .kind = c->kind, .id = c->id });
			last = &all.v[all.nr - 1];
		}
		last->nr += c->nr;
	}
	if (all.nr)
		choose(s, &all);
	vec_release(&all);
}
