/*
 * Replay: does again what threads did, in time if not in work: a thread of this process for each thread of
 * the recording burns CPU time while that one ran, wakes whom it woke, and sleeps until its waker wakes it;
 * or for as long as it slept, where the waker was an interrupt or is not replayed. Waiting for a CPU is not
 * replayed: it comes by itself, or does not, which is what a replay shows.
 */
#ifndef PERF_SCHED_REPLAY_H
#define PERF_SCHED_REPLAY_H

#include "sched.h"
#include "../view/view.h"

#define REPLAY_MAX_TASKS 512u

enum replay_what { REPLAY_RUN, REPLAY_SLEEP, REPLAY_WAIT, REPLAY_WAKE };

struct replay_step {
	enum replay_what what;
	u32 target;			/* WAKE: a position in task */
	u64 ns;				/* RUN, SLEEP; WAIT: how long it took then */
};

struct replay_task {
	u32 task, number;		/* number: position among those with steps */
	u64 mark;			/* RUN steps go up to this time; SCHED_NEVER: not running */
	bool woken_by_task;		/* by a thread that is replayed */
	struct { VEC(struct replay_step); } step;
	const char *name;
};

struct sched_replay {
	struct sched sched;
	struct { VEC(struct replay_task); } task;	/* by task */
	u64 nr[4];					/* steps by kind */
};

/* one repetition, in milliseconds */
struct replay_result {
	double elapsed, cpu;
};

extern const struct sched_ops sched_replay_ops;	/* ctx: struct sched_replay */
void sched_replay_release(struct sched_replay *r);
/* what will be done; -E2BIG with err where these are too many threads */
int sched_replay_check(struct sched_replay *r, struct err *err);
struct view *sched_replay_view(struct sched_replay *r, u32 form);
/* does it once */
struct replay_result sched_replay_once(struct sched_replay *r);

#endif
