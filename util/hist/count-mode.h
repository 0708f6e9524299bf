/*
 * Modes of report: what is counted (samples, their weights, or the branches of their branch stacks), and what
 * this means for sort keys.
 */
#ifndef PERF_HIST_MODE_H
#define PERF_HIST_MODE_H

#include "hist-opts.h"
#include "sort-order.h"

struct mode_opts {
	/* -b; if neither it nor its opposite is given, the file decides */
	bool branch_stack, branch_stack_set;
	bool mem;				/* --mem-mode */
	bool history;				/* --branch-history */
	bool blocks;				/* --total-cycles */
	const char *option;			/* another option that implies these, for messages; or NULL */
};

/* call stacks: branch stacks that the processor keeps as the calls that have not returned yet */
enum mode_branches { MODE_NO_BRANCHES, MODE_BRANCHES, MODE_CALL_STACKS };

enum mode_branches mode_branches(const struct evset *set);
/* some event samples branch stacks that are not call stacks from the processor */
bool mode_has_branches(const struct evset *set);
/* some event samples what --mem-mode shows: addresses of data, where they were, or weights */
bool mode_has_memory(const struct evset *set);
/*
 * Sets ho->mode, and in spec the keys that exist. Where samples have branches (mode_branches()), these
 * are counted unless o says otherwise. 0, or -EINVAL with err: what the file lacks.
 */
int mode_choose(const struct mode_opts *o, enum mode_branches branches, struct hist_opts *ho,
		struct sort_spec *spec, struct err *err);

#endif
