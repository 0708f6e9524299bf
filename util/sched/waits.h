/*
 * Waits: where the waiting goes: the time of each thread by what it did, the stacks in which it waited, who
 * woke it from there, and who woke that one. The parts of a thread add up to the time between its first and
 * its last event in the recording; what happened around missing switches is a part of its own.
 */
#ifndef PERF_SCHED_WAITS_H
#define PERF_SCHED_WAITS_H

#include "reasons.h"
#include "sched.h"
#include "../view/rows.h"

enum sched_part {
	SCHED_PART_RUNNING, SCHED_PART_RUNNABLE, SCHED_PART_PREEMPTED, SCHED_PART_SLEEPING, SCHED_PART_DISK,
	SCHED_PART_LOCK, SCHED_PART_STOPPED, SCHED_PART_UNKNOWN, SCHED_NR_PARTS
};

#define SCHED_WAKERS 4u

struct sched_waits_opts {
	u32 max_stack;
	u64 lines;			/* maximum number of rows of a table; 0: all */
	bool tasks_only;		/* only the first table */
	struct view_sort sort;		/* of the first table */
};

/* the time of a thread, or of all threads of a name */
struct sched_waits_task {
	u32 task;
	u64 part[SCHED_NR_PARTS];
	u64 elapsed;			/* from its first event to its end or that of the recording */
	u64 nr_waits, nr_holes;
	const char *name;
};

/* instead of a waker: no task woke it */
#define SCHED_BY_INTERRUPT (ID_NONE - 1)

/* waits of a thread in one stack that ended in the same way */
struct sched_waits_stack {
	u32 task, stack;
	enum sched_part part;
	u32 waker, waker_stack;		/* ID_NONE: not known; or SCHED_BY_INTERRUPT */
	u64 nr, time, max;
	u32 chain[SCHED_WAKERS];	/* of the longest one: who woke the waker, and so on; ID_NONE */
	const char *name, *stack_text, *waker_text, *waker_stack_text, *chain_text;
};

/* of a thread: the wait that goes on */
struct sched_waits_now {
	u32 stack;			/* where it left the CPU */
	u32 waker, waker_stack, chain[SCHED_WAKERS];
	u32 contended;			/* kernel locks that it waits for */
};

struct sched_waits {
	struct sched sched;
	const struct sched_waits_opts *o;
	struct tracing_stacks stacks;
	struct { VEC(struct sched_waits_task); } task;		/* by task */
	struct { VEC(struct sched_waits_now); } now;		/* by task */
	struct { VEC(struct sched_waits_stack); } stack;
	struct hidx by_key;

};

extern const struct sched_ops sched_waits_ops;		/* ctx: struct sched_waits */
void sched_waits_init(struct sched_waits *w, const struct session *s, const struct sched_waits_opts *o);
void sched_waits_release(struct sched_waits *w);
/* "a,b": the keys of the first table; -EINVAL with err */
int sched_waits_sort_parse(struct view_sort *sort, const char *keys, struct err *err);
/* sorts; the view refers to w. form: one of VIEW_FORM_* */
struct view *sched_waits_view(struct sched_waits *w, u32 form);

#endif
