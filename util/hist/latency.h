/*
 * Latency: checks whether a file has what report needs to find out how many tasks ran when a sample was
 * taken.
 */
#ifndef PERF_HIST_LATENCY_H
#define PERF_HIST_LATENCY_H

#include "hist.h"
#include "../fields/sample-filter.h"
#include "sort-order.h"

struct latency_opts {
	bool first;				/* --latency: rows are ordered by it */
	struct parallelism *parallelism;	/* NULL: nothing asks */
};

/* called before the order is parsed: sets in spec what the file and the options mean for latency */
void latency_prepare(const struct latency_opts *o, const struct session *s, struct sort_spec *spec);
/*
 * Sets ho->parallelism and ho->latency if a column or the filter needs them; -EINVAL with err if the file
 * does not have the records for it. A latency column that nobody asked for is removed if tasks never ran at
 * the same time.
 */
int latency_choose(struct latency_opts *o, const struct session *s, const struct sample_filter *filter,
		   struct sort_order *order, struct hist_opts *ho, struct err *err);
/* the same after counting, if nearly all samples that were kept were taken while one task ran */
void latency_forget(const struct hist *h, struct sort_order *order);
void latency_release(struct latency_opts *o);

#endif
