/*
 * Callers: what patterns of function names do to call chains: --ignore-callees removes what a function
 * called, --parent separates samples by the function that they came from. Done once, between naming and
 * labelling, on chains that samples share.
 */
#ifndef PERF_HIST_CALLERS_H
#define PERF_HIST_CALLERS_H

#include <regex.h>
#include "count-worker.h"
#include "hist.h"

struct caller_patterns {
	/* as typed; NULL: not given */
	const char *parent, *ignore_callees;
	bool exclude_other;		/* -x: samples without parent are hidden */
	bool by_parent;			/* the sort key is in use */
	regex_t parent_re, ignore_re;
	bool parent_compiled, ignore_compiled;
};

/* 0, or -EINVAL with err, if a pattern is wrong or the session has no call chains */
int caller_patterns_compile(struct caller_patterns *p, const struct session *s, struct err *err);
void caller_patterns_release(struct caller_patterns *p);

/*
 * to be called when names are known and frames of workers have their maps: changes the worker's chains, own
 * frames and keys
 */
void callers_apply(struct hist *h, struct count_worker *w);
/* true if -x hides samples with this row of h->sample_keys */
bool callers_hide(const struct hist *h, const u64 *sample_key);
/* the pattern of callers that all samples must have; NULL: without -x */
const char *callers_wanted(const struct hist *h);

#endif
