/* Latency: what report needs of a file to tell how many tasks ran when a sample was taken. */
#ifndef PERF_HIST_LATENCY_H
#define PERF_HIST_LATENCY_H

#include "hist.h"
#include "hit-filter.h"
#include "sort-order.h"

struct latency_opts {
	struct parallelism *parallelism;	/* NULL: nothing asks */
};

/* sets ho->parallelism where a key or the filter asks for it; -EINVAL with err where the file does not have it */
int latency_choose(struct latency_opts *o, const struct session *s, const struct hit_filter *filter, const struct sort_order *order,
		   struct hist_opts *ho, struct err *err);
void latency_release(struct latency_opts *o);

#endif
