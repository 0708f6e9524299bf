/* Lanes: the CPUs and threads that a profile by time shows: the busiest ones, and the sum of the others. */
#ifndef PERF_HIST_LANES_H
#define PERF_HIST_LANES_H

#include "slots.h"

/* makes s->lane from s->cell, for each event and kind */
void hist_lanes_choose(struct hist_slots *s);
/* the lane that shows a CPU or thread that has cells */
const struct hist_lane *hist_lane_of(const struct hist_slots *s, u32 event, u32 kind, u32 id);

#endif
