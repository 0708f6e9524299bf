/* Flame: the numbers by time, made to fit. */
#include "flame.h"

#include <stdlib.h>

static int cmp_slots(const void *pa, const void *pb)
{
	const struct flame_slot *a = pa, *b = pb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->slot > b->slot) - (a->slot < b->slot);
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

void flame_fit_slots(struct flame *f, size_t max)
{
	merge_slots(f);
	while (f->slot.nr > max && f->slot_rows > 1) {
		u32 rows = fewer_rows(f->slot_rows);

		vec_foreach(&f->slot, s)
			s->slot /= f->slot_rows / rows;
		f->slot_rows = rows;
		merge_slots(f);
	}
	while (f->slot.nr > max && f->node.nr > 1) {
		flame_prune(f, f->node.nr / 2, 0);
		merge_slots(f);
	}
}
