/*
 * LBR: call chains that the processor kept (record --call-graph lbr). The kernel records its own part of the chain as always;
 * the user part comes as a branch stack of the calls that have not returned, newest first.
 */
#ifndef PERF_SESSION_LBR_H
#define PERF_SESSION_LBR_H

#include <linux/perf_event.h>
#include "../event/sample.h"

void lbr_join(struct sample *s, struct arena *scratch);

/*
 * Puts the calls in place of the recorded user part of s->callchain: where the sample, or the system call, left user space, then
 * where each call was made. Does nothing to other samples, and to those of which the kernel recorded no user part. The chain
 * then lies in scratch.
 */
static inline void lbr_chain(struct sample *s, struct arena *scratch)
{
	if (unlikely(s->nr_branches && s->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
		lbr_join(s, scratch);
}

#endif
