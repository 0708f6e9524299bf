/*
 * Wall-faults: which file a wait in a page fault is for. The kernel tells the address of a fault when it is
 * complete, after the wait, so what a thread does from such a wait on is kept until then; or until it waits
 * for something else, or did much, as some faults are never told.
 */
#ifndef PERF_INJECT_WALL_FAULTS_H
#define PERF_INJECT_WALL_FAULTS_H

#include "../base/hash.h"
#include "../base/vec.h"
#include "../wall/wall.h"

struct wall_fault_item {
	union {
		struct wall_slice slice;
		struct wall_run run;
	};
	bool is_run;
};
struct wall_fault_thread {
	s32 tid;
	struct { VEC(struct wall_fault_item); } kept;
};

/* zeroed, with the listener that gets all */
struct wall_faults {
	const struct wall_ops *to;
	void *ctx;
	struct { VEC(struct wall_fault_thread); } thread;
	struct hidx by_tid;
	u32 nr_keeping;		/* threads of which something is kept: mostly none */
};

/* slices and CPU time, in the order of each thread; ctx is the struct wall_faults */
extern const struct wall_ops wall_faults_ops;
/* the fault in which the thread waited is complete; target: see struct wall_slice. False: it did not wait */
bool wall_faults_complete(struct wall_faults *f, s32 tid, u32 target);
/* gives what is kept of a thread, of all threads */
void wall_faults_give(struct wall_faults *f, s32 tid);
void wall_faults_give_all(struct wall_faults *f);
void wall_faults_release(struct wall_faults *f);

#endif
