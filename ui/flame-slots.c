/* Flame: the numbers by time, made to fit. */
#include "flame.h"

#include <stdlib.h>

static int cmp_slots(const void *pa, const void *pb)
{
	const struct flame_slot *a = pa, *b = pb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	return a->cpu != b->cpu ? (int)a->cpu - b->cpu : (int)a->thread - b->thread;
}

static void merge_slots(struct flame *f)
{
	size_t nr = 0;

	if (f->slot.nr)
		qsort(f->slot.v, f->slot.nr, sizeof(*f->slot.v), cmp_slots);
	vec_foreach(&f->slot, s) {
		if (nr && !cmp_slots(s, &f->slot.v[nr - 1]))
			f->slot.v[nr - 1].period += s->period;
		else
			f->slot.v[nr++] = *s;
	}
	f->slot.nr = nr;
}

/* the largest number of rows below that one that divides it */
static u32 fewer_rows(u32 rows)
{
	for (u32 by = 2; by < rows; by++)
		if (rows % by == 0)
			return rows / by;
	return 1;
}

/* true: there are at most max slots with at least that many rows; false, and they are as they were */
static bool fit_rows(struct flame *f, size_t max, u32 least)
{
	size_t nr = f->slot.nr;
	u32 all_rows = f->slot_rows;
	struct flame_slot *all;

	if (nr <= max)
		return true;
	all = xmemdup(f->slot.v, nr * sizeof(*all));
	while (f->slot.nr > max && f->slot_rows > 1 && fewer_rows(f->slot_rows) >= least) {
		u32 rows = fewer_rows(f->slot_rows);

		vec_foreach(&f->slot, s)
			s->slot /= f->slot_rows / rows;
		f->slot_rows = rows;
		merge_slots(f);
	}
	if (f->slot.nr > max) {
		memcpy(f->slot.v, all, nr * sizeof(*all));
		f->slot.nr = nr;
		f->slot_rows = all_rows;
	}
	free(all);
	return f->slot.nr <= max;
}

static void drop_lanes(struct flame *f)
{
	vec_foreach(&f->slot, s)
		s->cpu = s->thread = VIEW_NO_LANE;
	f->no_lanes = true;
	merge_slots(f);
}

void flame_fit_slots(struct flame *f, size_t max)
{
	merge_slots(f);
	if (!f->slot.nr || fit_rows(f, max, FLAME_LEAST_ROWS))
		return;
	drop_lanes(f);
	while (!fit_rows(f, max, 1) && f->node.nr > 1) {
		flame_prune(f, f->node.nr / 2, 0);
		merge_slots(f);
	}
}
