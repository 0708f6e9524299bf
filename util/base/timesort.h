/*
 * Timesort: sorts references by time, stably, so that equal times keep the order of insertion. It is made for
 * profiles: the records of one CPU are already in order, so the input consists of a few long ascending runs,
 * which are found and merged; sorted input costs one pass.
 */
#ifndef PERF_BASE_TIMESORT_H
#define PERF_BASE_TIMESORT_H

#include "types.h"

struct time_ref {
	u64 time;
	u64 ref;	/* the caller's */
};

/* tmp has room for nr elements, too; its contents are lost. v is sorted in place. */
void time_sort(struct time_ref *v, size_t nr, struct time_ref *tmp);

#endif
