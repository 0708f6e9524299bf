/*
 * Slots: the times of the samples in a table. The time of a table is divided into columns of equal length,
 * and these into rows, so a slot is column * nr_rows + row. Periods by slot belong to rows of a table and to
 * the nodes of its call graphs where paths end, each with its lanes; a lane is the samples of one CPU or
 * thread by column.
 *
 * Or samples last some time, as slices of wall time do. Then a slot is a tick (view_time.step), the lists are
 * spans: each has its length, what its thread did, and who ended it; a span that is shorter than a grain is
 * added up with others of its thread in one window of that length. Lanes are threads then, without columns.
 */
#ifndef PERF_VIEW_SLOTS_H
#define PERF_VIEW_SLOTS_H

#include "../base/vec.h"

#define VIEW_NO_LANE UINT16_MAX

struct view_slot {
	u32 slot;
	u16 cpu, thread;		/* positions in view_time.lane, or VIEW_NO_LANE */
	u64 period;
	/* of spans; else all are 0 */
	u32 length;			/* ticks, at least 1; a window's: more than its period */
	u32 nr;				/* number of samples in it */
	s32 other;			/* tid that ended it; 0: an interrupt, -1: not known */
	u8 state, detail;		/* positions in the table's tints and in view_time.detail */
};

/* a part of the time that is marked in the lane of a thread */
struct view_mark {
	s32 tid;
	u64 from, to;			/* ns; such parts follow each other in time */
};
struct view_marks {
	VEC(struct view_mark);
};

struct view_lane {
	const char *kind, *name;	/* "CPU", "0"; "thread", "make 123" */
	u32 id;				/* CPU, tid */
	u32 nr_others;			/* CPUs or threads without a lane that it sums up; 0: not a sum */
	u64 nr;				/* samples in all columns */
	const u64 *column;		/* samples by column */
};

struct view_other {
	s32 tid;
	const char *name;
};

struct view_time {
	const char *missing;		/* why there is none; NULL: there is one */
	const char *no_cpus;		/* why there are no lanes of CPUs; NULL: there are */
	u64 start, step;		/* nanoseconds: of the first slot, length of a slot */
	u32 nr_columns, nr_rows;
	bool spans;			/* the lists are spans, and a step is a tick */
	u32 grain;			/* ticks: shorter spans were added up; 0: none */
	u64 end;			/* of the last span */
	const char *const *detail;	/* words: what a thread waits for, by view_slot.detail */
	u32 nr_details;
	/* threads that ended spans, but have no lane; sorted by tid */
	struct { VEC(struct view_other); } other;
	const struct view_marks *mark;	/* what decided how long it took; NULL: nothing is marked */
	struct { VEC(struct view_lane); } lane;
};

#endif
