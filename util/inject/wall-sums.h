/*
 * Wall-sums: samples of slices that differ only in their times are one sample, of the first one's time, with
 * their sums and their number (wall_event_add()). So a table of functions costs memory and time by distinct
 * slices, not by switches. Samples are added up between two side-band records, as these change names.
 */
#ifndef PERF_INJECT_WALL_SUMS_H
#define PERF_INJECT_WALL_SUMS_H

#include "../base/strbuf.h"
#include "../wall/wall-event.h"

/* what equal slices have in common; without padding, as it is compared by bytes */
struct wall_sum_key {
	s32 pid, tid, waker;
	u32 cpu, stack, waker_stack, target;
	u8 state, wait, speed, zero;
	u32 begin, end;		/* wall_sums_epoch() of both: the waker has its name at the end */
};

struct wall_sum {
	struct wall_sum_key key;
	size_t at;		/* of its record in records */
};

/* a zeroed one is empty */
struct wall_sums {
	struct { VEC(struct wall_sum); } sum;
	struct hidx idx;
	u32 last;		/* the sum that was used last */
	struct strbuf records;	/* SAMPLE records, in the order of their first slices */
	struct { VEC(u64); } change;	/* times of side-band records, ascending: names may change there */
};

/* the number of side-band times up to that time */
u32 wall_sums_epoch(const struct wall_sums *w, u64 time);
/* adds a slice to the sample of equal ones; false: there is none yet */
bool wall_sums_add(struct wall_sums *w, const struct event *ev, const struct wall_sum_key *key, u64 ns);
/* equal slices will be added to the record at that place of w->records, one of is_sum */
void wall_sums_keep(struct wall_sums *w, const struct wall_sum_key *key, size_t at);
/* names may change at that time (0: nobody knows when): new sums begin; w->records were written */
void wall_sums_reset(struct wall_sums *w, u64 time);
void wall_sums_release(struct wall_sums *w);

#endif
