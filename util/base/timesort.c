/* Timesort: a natural merge sort. */
#include "timesort.h"
#include "vec.h"

#include <string.h>

/* the end of the ascending run that starts at i */
static size_t run_end(const struct time_ref *v, size_t i, size_t nr)
{
	while (++i < nr && v[i - 1].time <= v[i].time)
		;
	return i;
}

static void merge(struct time_ref *dst, const struct time_ref *a, const struct time_ref *a_end,
		  const struct time_ref *b, const struct time_ref *b_end)
{
	while (a < a_end && b < b_end)
		*dst++ = b->time < a->time ? *b++ : *a++;	/* equal times: the left one first */
	if (a < a_end)
		memcpy(dst, a, (a_end - a) * sizeof(*a));
	else if (b < b_end)
		memcpy(dst, b, (b_end - b) * sizeof(*b));
}

/* returns v or tmp: whichever is sorted */
static struct time_ref *sort_either(struct time_ref *v, size_t nr, struct time_ref *tmp)
{
	struct { VEC(size_t); } ends = { 0 };
	struct time_ref *src = v, *dst = tmp;

	if (nr < 2 || run_end(v, 0, nr) == nr)
		return v;
	for (size_t i = 0; i < nr;) {
		i = run_end(v, i, nr);
		vec_push(&ends, i);
	}
	while (ends.nr > 1) {
		size_t from = 0, out = 0;

		for (size_t k = 0; k < ends.nr; k += 2) {
			size_t mid = ends.v[k], end = k + 1 < ends.nr ? ends.v[k + 1] : mid;

			merge(dst + from, src + from, src + mid, src + mid, src + end);
			ends.v[out++] = end;
			from = end;
		}
		ends.nr = out;
		struct time_ref *swap = src;
		src = dst;
		dst = swap;
	}
	vec_release(&ends);
	return src;
}

void time_sort(struct time_ref *v, size_t nr, struct time_ref *tmp)
{
	if (sort_either(v, nr, tmp) != v)
		memcpy(v, tmp, nr * sizeof(*v));
}
