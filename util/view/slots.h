/*
 * Slots: the times of the samples in a table. The time of a table is divided into columns of equal length,
 * and these into rows, so a slot is column * nr_rows + row. Periods by slot belong to rows of a table and to
 * the nodes of its call graphs where paths end, each with its lanes; a lane is the samples of one CPU or
 * thread by column.
 */
#ifndef PERF_VIEW_SLOTS_H
#define PERF_VIEW_SLOTS_H

#include "../base/vec.h"

#define VIEW_NO_LANE UINT16_MAX

struct view_slot {
	u32 slot;
	u16 cpu, thread;		/* positions in view_time.lane, or VIEW_NO_LANE */
	u64 period;
};

struct view_lane {
	const char *kind, *name;	/* "CPU", "0"; "thread", "make 123" */
	u32 nr_others;			/* CPUs or threads without a lane that it sums up; 0: not a sum */
	u64 nr;				/* samples in all columns */
	const u64 *column;		/* samples by column */
};

struct view_time {
	const char *missing;		/* why there is none; NULL: there is one */
	const char *no_cpus;		/* why there are no lanes of CPUs; NULL: there are */
	u64 start, step;		/* nanoseconds: of the first slot, length of a slot */
	u32 nr_columns, nr_rows;
	struct { VEC(struct view_lane); } lane;
};

#endif
