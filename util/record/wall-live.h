/*
 * Wall-live: where the elapsed time of threads goes, while they run: by the BPF programs of wall-switches.h
 * without stacks, so that what a wait is for is not known, and waits for work are blocked time. Nothing is
 * written; sums are kept by thread and name.
 */
#ifndef PERF_RECORD_WALL_LIVE_H
#define PERF_RECORD_WALL_LIVE_H

#include "../wall/wall.h"
#include "wall-switches.h"

#define WALL_LIVE_NAME 16u

/* a thread under one name */
struct wall_live_row {
	s32 pid, tid;
	char name[WALL_LIVE_NAME];
	u64 ns[WALL_NR_STATES];
	u64 nr_waits;		/* that ended */
};

struct wall_live_thread {
	s32 tid;
	u32 row;		/* idx; UINT32_MAX: none yet */
	char name[WALL_LIVE_NAME];	/* "": not known */
	bool nameless;		/* name is its tid */
};

struct wall_live {
	struct wall_switches *switches;
	struct wall wall;
	struct { VEC(struct wall_switch_event); } pending;	/* that are too new to be in order */
	struct { VEC(struct wall_live_row); } row;
	struct { VEC(struct wall_live_thread); } thread;
	struct hidx by_tid;
	u64 start;		/* CLOCK_MONOTONIC; records before it are ignored */
	u64 lost;
};

/* which threads: as wall_switches_open(), too; 0, or a negative errno with err */
int wall_live_open(struct wall_live *l, const struct wall_switches_opts *o, struct err *err);
/* counting begins at that time. pid: a command that begins to run then; 0: none */
void wall_live_begin(struct wall_live *l, u64 time, s32 pid);
/* it slept when counting began, since before that */
void wall_live_asleep(struct wall_live *l, s32 pid, s32 tid);
/* takes what has been recorded; last: to the end, after wall_switches_stop() */
void wall_live_take(struct wall_live *l, bool last);
/* sets the sums to 0 */
void wall_live_clear(struct wall_live *l);
void wall_live_release(struct wall_live *l);

#endif
