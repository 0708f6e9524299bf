/*
 * Wall-slot-sums: recordings of record --wall=slots:TIME (util/record/wall-slots.h): a sum of a slot becomes
 * one slice. The sums of a thread follow one another in the order of their first slices, so times are right
 * to a slot. CPU time of a slot is divided among the samples of the thread in that slot.
 */
#ifndef PERF_INJECT_WALL_SLOT_SUMS_H
#define PERF_INJECT_WALL_SLOT_SUMS_H

#include "../base/hash.h"
#include "../record/wall-slots.h"
#include "../wall/wall.h"

struct wall_slot_sums_thread;
/* a zeroed one is empty */
struct wall_slot_sums {
	bool on;			/* the recording is one of sums */
	u64 slot_ns;			/* their length; 0: not known */
	u64 from;			/* earlier sums are left out: the exec of a command */
	struct { VEC(struct wall_slot_sums_thread); } thread;
	struct hidx by_tid;
};

/* the slice of a sum; e: of its sample, with stack and target */
struct wall_slice wall_slot_sums_slice(const struct wall_slot_raw *raw, const struct wall_event *e,
				  enum wall_wait wait);
/* a thread begins at that time */
void wall_slot_sums_fork(struct wall_slot_sums *s, s32 tid, s32 parent, u64 time);
/* a sample of a thread that runs */
void wall_slot_sums_sample(struct wall_slot_sums *s, const struct wall_event *e);
/* tells the operations of w, and adds to its totals */
void wall_slot_sums_give(struct wall_slot_sums *s, struct wall *w, const struct wall_slice *from);
void wall_slot_sums_release(struct wall_slot_sums *s);

#endif
