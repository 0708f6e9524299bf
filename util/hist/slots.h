/*
 * Slots: a profile by time, for pages that show it: samples by (CPU or thread, column), which decide what
 * gets a lane (lanes.h), and periods by (row, end of the path, slot of time, lane of the CPU, lane of the
 * thread). slot-sums.h makes them from the places of samples.
 */
#ifndef PERF_HIST_SLOTS_H
#define PERF_HIST_SLOTS_H

#include "../base/hash.h"
#include "../base/vec.h"
#include "../view/slots.h"

/* periods of a row, or of what ends at a node of it: range of hist_slots.slot */
struct slot_range {
	u64 row;			/* sample_key | frame_key << 32 */
	u32 node, nr;
	size_t first;
};
/* samples of a CPU or thread in a column */
struct lane_cell {
	u32 event, kind, id, column;
	u64 nr;
};
enum lane_kind { LANE_CPU, LANE_THREAD, NR_LANE_KINDS };
/* a CPU or thread that is shown; the last one of a kind can be the sum of all others */
struct hist_lane {
	u32 event, kind, id;
	u32 nr_others;			/* 0: not the sum */
	u32 at;				/* in the list of its event */
	u64 nr;				/* samples */
};
/* sorted */
struct hist_slots {
	struct { VEC(struct slot_range); } range;
	struct { VEC(struct view_slot); } slot;
	struct { VEC(struct lane_cell); } cell;
	struct { VEC(struct hist_lane); } lane;
	struct hidx lane_idx;
	bool spans;			/* slots are spans, see struct view_slot */
};
void hist_slots_release(struct hist_slots *s);
/* the periods of a row that end at a node: 0 of the row itself; NULL: none */
const struct view_slot *hist_slots_find(const struct hist_slots *s, u64 row, u32 node, u32 *ret_nr);

#endif
