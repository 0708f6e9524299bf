/*
 * Callers: what patterns of function names do to call chains: --ignore-callees cuts what a function called, --parent tells
 * samples apart by which function they came from. Done once between naming and labelling, on chains that samples share.
 */
#ifndef PERF_HIST_CALLERS_H
#define PERF_HIST_CALLERS_H

#include <regex.h>
#include "count.h"

struct caller_patterns {
	/* as typed, NULL: not asked for */
	const char *parent, *ignore_callees;
	bool exclude_other;		/* -x: samples of no parent are hidden */
	bool by_parent;			/* the sort key is in use */
	regex_t parent_re, ignore_re;
	bool parent_compiled, ignore_compiled;
};

/* 0, or -EINVAL with what is wrong with which pattern, or where the session has no call chains */
int caller_patterns_compile(struct caller_patterns *p, const struct session *s, struct err *err);
void caller_patterns_release(struct caller_patterns *p);

/* stands for a frame that was cut */
#define FRAME_CUT UINT32_MAX
/* names are known, frames of workers have their maps: changes the worker's chains, own frames and keys */
void callers_apply(struct hist *h, struct count_worker *w);
/* -x hides what has this row of h->sample_keys */
bool callers_hide(const struct hist *h, const u64 *sample_key);

#endif
