/*
 * LBR: call chains that the processor kept (record --call-graph lbr). The kernel records its own part of the chain as always;
 * the user part comes as a branch stack of the calls that have not returned, newest first.
 */
#ifndef PERF_RESOLVE_LBR_H
#define PERF_RESOLVE_LBR_H

#include <linux/perf_event.h>
#include "../event/sample.h"

static inline bool lbr_possible(const struct sample *s)
{
	return s->nr_branches && s->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

/*
 * For samples of which lbr_possible(): puts the calls in place of the recorded user part of s->callchain: where the sample, or the
 * system call, left user space, then where each call was made. Does nothing to a sample of which the kernel recorded no user part. The
 * chain then lies in scratch.
 */
void lbr_join(struct sample *s, struct arena *scratch);

#endif
