/*
 * Timeline of perf sched: what CPUs and threads did over time, as a picture: which thread each CPU ran, and
 * of each thread when it ran, waited for a CPU (and who had woken it), or slept, and in which functions.
 * Memory grows with threads, not with events: the timeline merges what is too short to be seen.
 */
#ifndef PERF_SCHED_TIMELINE_H
#define PERF_SCHED_TIMELINE_H

#include "reasons.h"
#include "sched.h"
#include "../view/timeline.h"

#define SCHED_TIMELINE_TASKS 1000u	/* the most threads that are shown: the ones that ran longest */

struct sched_timeline_task {
	u32 track;			/* TIMELINE_NONE: it did nothing yet that is shown */
	u32 label;			/* where it sleeps; 0: not known */
	u64 run;
	u64 until;			/* the end of its last span */
};

struct sched_timeline_cpu {
	u32 track;
	u64 until;
};

struct sched_timeline {
	struct sched sched;
	struct timeline picture;
	struct tracing_stacks stacks;
	struct { VEC(struct sched_timeline_task); } task;	/* by task */
	struct { VEC(struct sched_timeline_cpu); } cpu;		/* by CPU */
	struct { VEC(u32); } label;				/* by stack; 0: not made yet */
	u64 nr_guessed;			/* spans of which an end is not known exactly */
};

extern const struct sched_ops sched_timeline_ops;	/* ctx: struct sched_timeline */
/* max_stack: functions of a call chain in the text of a span */
void sched_timeline_init(struct sched_timeline *t, const struct session *s, u32 max_stack);
/* after sched_run(): the picture; -ENOENT with err if nothing is left to show */
int sched_timeline_finish(struct sched_timeline *t, struct err *err);
void sched_timeline_release(struct sched_timeline *t);

#endif
