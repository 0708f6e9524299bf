/*
 * Timesort: sorts references by time, stably, so that ties keep the order of insertion. Made for profiles: what one CPU wrote
 * is already in order, so the input is a few long ascending runs, which are found and merged; sorted input costs one pass.
 */
#ifndef PERF_BASE_TIMESORT_H
#define PERF_BASE_TIMESORT_H

#include "types.h"

struct time_ref {
	u64 time;
	u64 ref;	/* the caller's */
};

/* tmp: room for nr more, contents lost. v is sorted in place. */
void time_sort(struct time_ref *v, size_t nr, struct time_ref *tmp);

#endif
