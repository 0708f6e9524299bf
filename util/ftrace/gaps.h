/*
 * Gaps: the time from one event to another in the same thread. A first event that comes again begins anew; a
 * second one without a first is not counted. Idle tasks, which all have the thread 0, are told apart by CPU.
 */
#ifndef PERF_FTRACE_GAPS_H
#define PERF_FTRACE_GAPS_H

#include "../base/hash.h"
#include "../base/vec.h"
#include "histogram.h"

#define FTRACE_GAPS_MAX (1u << 22)	/* threads that can be between the events at a time */

struct ftrace_gap {
	s64 task;		/* tid, or -1 - CPU of an idle task */
	u64 begin;		/* ns */
	bool open;
};

struct ftrace_gaps {
	struct { VEC(struct ftrace_gap); struct hidx idx; } gap;
	struct ftrace_histogram *histogram;
	u64 nr_dropped;		/* first events of more threads than there is room for */
};

/* events in the order of time */
void ftrace_gaps_begin(struct ftrace_gaps *g, u32 tid, u32 cpu, u64 time);
void ftrace_gaps_end(struct ftrace_gaps *g, u32 tid, u32 cpu, u64 time);
void ftrace_gaps_release(struct ftrace_gaps *g);

#endif
