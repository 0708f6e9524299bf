/*
 * Modes of report: what is counted (samples, their weights, or the branches of their branch stacks), and what
 * this means for sort keys.
 */
#ifndef PERF_HIST_MODE_H
#define PERF_HIST_MODE_H

#include "hist.h"
#include "sort-order.h"

struct mode_opts {
	/* -b; if neither it nor its opposite is given, the file decides */
	bool branch_stack, branch_stack_set;
	bool mem;				/* --mem-mode */
	bool history;				/* --branch-history */
	bool blocks;				/* --total-cycles */
	const char *option;			/* the one that set these, if it is another one; or NULL */
};

/*
 * Sets ho->mode, and in spec the keys that exist. For a file with branch stacks branches are counted, unless
 * they are call stacks from the processor. 0, or -EINVAL with err: what the file lacks.
 */
int mode_choose(const struct mode_opts *o, const struct session *s, struct hist_opts *ho,
		struct sort_spec *spec, struct err *err);

#endif
