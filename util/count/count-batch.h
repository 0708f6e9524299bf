/*
 * Count-batch: if there are many software events and tracepoints of whole CPUs, they are opened as groups
 * that nobody asked for. The kernel never keeps such events off the CPU, so only the cost changes: 1000
 * events on 2 CPUs were opened in 0.1 s instead of 1.2 s, and reading them every 100 ms took 1.2 % of one CPU
 * instead of 3 %.
 */
#ifndef PERF_COUNT_COUNT_BATCH_H
#define PERF_COUNT_COUNT_BATCH_H

#include "../event/event.h"

/* the leaders that the user wanted; NULL: nothing was changed */
struct count_batch {
	u32 *leader;
	u32 nr;
};

/* makes some events of set leaders; to be undone once they are open and their reading is planned */
void count_batch_begin(struct count_batch *b, struct evset *set);
/* true for an event that leads others only because of this */
bool count_batch_leads(const struct count_batch *b, const struct evset *set, u32 idx);
void count_batch_end(struct count_batch *b, struct evset *set);

#endif
