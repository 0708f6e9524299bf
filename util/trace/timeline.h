/*
 * Timeline of perf trace: the system calls of each thread as spans of a picture. Filled by util/trace while
 * it runs (trace_opts.timeline); memory grows with threads, not with calls: the timeline merges what is too
 * short to be seen.
 */
#ifndef PERF_TRACE_TIMELINE_H
#define PERF_TRACE_TIMELINE_H

#include "trace-private.h"
#include "../view/timeline.h"

#define TRACE_TIMELINE_THREADS 1000u	/* limit of shown threads: those with the most calls */

struct trace_timeline {
	struct timeline picture;
	u64 last;			/* end of the last call */
};

struct trace_timeline *trace_timeline_new(void);
void trace_timeline_free(struct trace_timeline *p);
/* a call that has returned, of which the beginning is known; and one that has not */
void trace_timeline_add(struct trace *t, struct trace_thread *th, const struct trace_line *l,
			const struct syscall_call *call);
void trace_timeline_add_open(struct trace *t, struct trace_thread *th);

#endif
