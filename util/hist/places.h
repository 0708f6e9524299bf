/*
 * Places: when samples happened and where. Counting adds to each bucket a list of its places: slot of time,
 * thread and CPU. Samples of one thread that follow each other are mostly in one place, so memory grows with
 * places, which are never more than samples. Nothing of this is done unless opts.time asks for it.
 */
#ifndef PERF_HIST_PLACES_H
#define PERF_HIST_PLACES_H

#include "../base/vec.h"

struct session;
struct sample;

#define SLOT_ROWS 20u			/* of a column */
#define SLOT_MAX_COLUMNS 120u
#define SLOT_NONE UINT32_MAX		/* the sample has no time */
#define PLACE_NO_CPU UINT32_MAX

/* nr_columns 0: nothing is counted by time */
struct hist_time {
	u64 start, end, step;
	u32 nr_columns;
	bool spans;		/* samples are slices of wall time: a slot is a tick, with one column */
	u32 grain;		/* ticks: shorter spans are added up by windows of that length */
};

/* columns for the samples of a file; none if the file has no times */
struct hist_time hist_time_of(const struct session *s);
/* ticks for a file of slices, at most 2^32 */
struct hist_time hist_ticks_of(const struct session *s);

struct place {
	u32 slot, next;			/* next: index plus one; 0: the last one */
	u32 tid, cpu;
	u64 nr, period;
	/* of spans: ticks, and see struct view_slot */
	u32 length;
	s32 waker;
	u8 state, wait;
};
struct places {
	VEC(struct place);
};

/* the place of a sample; nr and period are 0 */
struct place place_of_sample(const struct hist_time *t, const struct sample *s);
/* the time that a sample stands for; from == to: only its own slot */
struct place_span {
	u64 from, to;
};
/*
 * adds a sample of a span of time, as places_add() does: each slot of it gets its share of the period.
 * With hist_time.spans it is a place of its own, or part of a window's
 */
void places_spread(const struct hist_time *t, struct places *v, u64 *head, const struct place *at,
		   const struct place_span *span, u64 period);
/* adds a sample to a list that begins at *head, 0: an empty one */
void places_add(struct places *v, u64 *head, const struct place *at, u64 period);

#endif
