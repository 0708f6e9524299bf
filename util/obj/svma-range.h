/* Svma-range: addresses of code as linked. */
#ifndef PERF_OBJ_SVMA_RANGE_H
#define PERF_OBJ_SVMA_RANGE_H

#include "../base/types.h"

/* end is exclusive */
struct svma_range {
	u64 start, end;
};

/* keeps the part of a range that is on addr's side of a boundary; addr is in the range, and stays in it */
static inline void svma_range_narrow(struct svma_range *r, u64 addr, u64 boundary)
{
	if (boundary <= addr)
		r->start = MAX(r->start, boundary);
	else
		r->end = MIN(r->end, boundary);
}

#endif
