/*
 * Event run: observes two tracepoints and measures the time from the first to the second in each thread.
 * The events are recorded through perf's rings, so their times are nanoseconds, and no setting of tracefs
 * changes.
 */
#ifndef PERF_FTRACE_EVENT_RUN_H
#define PERF_FTRACE_EVENT_RUN_H

#include "../observe/observer.h"
#include "gaps.h"

struct ftrace_event_run {
	const char *names;		/* "sched:sched_wakeup,sched:sched_switch" */
	struct observe_opts *observe;	/* set: empty; gets the events */
	struct ftrace_histogram *histogram;

	u64 nr_lost;			/* events that the kernel dropped */
	struct workload_result command;	/* a result: how it ended */
};

/* 0, or a negative errno with err */
int ftrace_event_run(struct ftrace_event_run *r, struct err *err);

#endif
