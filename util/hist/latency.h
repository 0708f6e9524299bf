/* Latency: what report needs of a file to tell how many tasks ran when a sample was taken. */
#ifndef PERF_HIST_LATENCY_H
#define PERF_HIST_LATENCY_H

#include "hist.h"
#include "sample-filter.h"
#include "sort-order.h"

struct latency_opts {
	bool first;				/* --latency: rows are ordered by it */
	struct parallelism *parallelism;	/* NULL: nothing asks */
};

/* before the order is parsed: what of latency the file and the options have in it */
void latency_prepare(const struct latency_opts *o, const struct session *s, struct sort_spec *spec);
/*
 * Sets ho->parallelism and ho->latency where a column or the filter asks for them; -EINVAL with err where the file does not have
 * it. What stands in the order only because the file has it is taken away where nothing ran at once.
 */
int latency_choose(struct latency_opts *o, const struct session *s, const struct sample_filter *filter, struct sort_order *order,
		   struct hist_opts *ho, struct err *err);
/* the same once samples are counted: those that were looked at may all have run alone */
void latency_forget(const struct hist *h, struct sort_order *order);
void latency_release(struct latency_opts *o);

#endif
