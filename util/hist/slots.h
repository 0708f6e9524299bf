/*
 * Slots: when samples happened and where, for pages that show it. Counting adds to each bucket a list of its
 * places: slot, thread and CPU; samples of one thread that follow each other are mostly in one place. When
 * the call graphs are made, they become samples by (CPU or thread, column), which decide what gets a lane,
 * and periods by (row, end of the path, slot, lane of the CPU, lane of the thread). Nothing of this is done
 * unless opts.time asks for it. Memory grows with places, which are never more than samples.
 */
#ifndef PERF_HIST_SLOTS_H
#define PERF_HIST_SLOTS_H

#include "../view/slots.h"
#include "key-table.h"

struct session;
struct sample;
struct hist;
struct hist_entry;
struct worker_result;
struct bucket;
struct view;
struct view_table;

#define SLOT_ROWS 20u			/* of a column */
#define SLOT_MAX_COLUMNS 120u
#define SLOT_NONE UINT32_MAX		/* the sample has no time */
#define PLACE_NO_CPU UINT32_MAX

/* nr_columns 0: nothing is counted by time */
struct hist_time {
	u64 start, end, step;
	u32 nr_columns;
};

/* the columns of the samples of a file; none where the file has no times */
struct hist_time hist_time_of(const struct session *s);

struct place {
	u32 slot, next;			/* next: index plus one; 0: the last one */
	u32 tid, cpu;
	u64 nr, period;
};
struct places {
	VEC(struct place);
};

/* the place of a sample, without numbers */
struct place place_of_sample(const struct hist_time *t, const struct sample *s);
/* the time from..to that a sample stands for; from == to: it is in its place */
struct place_span {
	u64 from, to;
};
/* the same as places_add() of all slots of a span, with the share of the period that each has */
void places_spread(const struct hist_time *t, struct places *v, u64 *head, const struct place *at,
		   const struct place_span *span, u64 period);
/* adds a sample to a list that begins at *head, 0: an empty one */
void places_add(struct places *v, u64 *head, const struct place *at, u64 period);

/* of the paths of one worker */
struct slot_sums {
	struct key_table slot, lane;
};
void slot_sums_init(struct slot_sums *k);
void slot_sums_release(struct slot_sums *k);
/* the path of a labelled bucket ends at that node of a trie, 0: it has no path */
void slot_sums_add(struct slot_sums *into, const struct hist *h, const struct worker_result *s,
		   const struct bucket *t, u32 node);
/* node: by node of from the one of into; NULL: the same */
void slot_sums_merge(struct slot_sums *into, const struct slot_sums *from, const u32 *node);

/* periods of a row, or of what ends at a node of it: range of hist_slots.slot */
struct slot_range {
	u64 row;			/* sample_key | frame_key << 32 */
	u32 node, nr;
	size_t first;
};
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
};
/* fills h->slots */
void hist_slots_take(struct hist *h, const struct slot_sums *k);
/* the lanes of all cells: the busiest ones of each event and kind, and the sums of the others */
void hist_lanes_choose(struct hist_slots *s);
/* the lane that shows a CPU or thread that has cells */
const struct hist_lane *hist_lane_of(const struct hist_slots *s, u32 event, u32 kind, u32 id);
void hist_slots_release(struct hist_slots *s);
const struct view_slot *hist_slots_find(const struct hist *h, const struct hist_entry *e, u32 node,
					u32 *ret_nr);
/* the time of a table that shows one event, in the view's arena */
const struct view_time *hist_time_view(struct hist *h, struct view *v, u32 event, u32 nr_members);

#endif
