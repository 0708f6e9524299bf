/*
 * Hist stacks: a profile counted by the phases of report and given as stacks, for formats of other programs.
 * The sums are the same as in report.
 */
#ifndef PERF_HIST_HIST_STACKS_H
#define PERF_HIST_HIST_STACKS_H

#include "../fields/sample-filter.h"
#include "../view/stacks.h"
#include "sort-order.h"

struct hist_stacks_opts {
	/* keys of --sort that do not depend on the address, and "host": "comm,tid,host" */
	const char *labels;
	const struct sample_filter *filter;	/* as typed: it is parsed for each profile */
	bool inlines;
	bool samples;			/* fill out->sample, too */
};

/*
 * Adds the samples of a session; out->by says what frames are. 0, or a negative errno with err, and out must
 * not be used
 */
int hist_stacks_add(struct stacks *out, struct session *s, const struct hist_stacks_opts *o, struct err *err);

#endif
