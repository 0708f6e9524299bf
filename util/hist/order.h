/* Order: the order of the rows of each event. */
#ifndef PERF_HIST_ORDER_H
#define PERF_HIST_ORDER_H

#include "hist.h"

/*
 * the order of rows: by these fields one after another (numbers, largest first, and keys); then by the
 * remaining keys
 */
struct hist_order {
	const struct field *const *by;
	u32 nr_by;
};
/* orders every event's entries */
void hist_sort(struct hist *h, const struct hist_order *order, const struct field_ctx *ctx);

#endif
