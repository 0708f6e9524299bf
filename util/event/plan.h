/* The contents of a sample plan, for util/event only. A slot is 8 bytes. */
#ifndef PERF_EVENT_PLAN_H
#define PERF_EVENT_PLAN_H

#include "sample.h"

struct event_plan {
	const struct event *event;
	u64 type;			/* sample_type */
	u64 read_format;
	s8 time_slot, id_slot;		/* number of slots before them in a SAMPLE; -1: it has none */
	/* number of slots from the end of other records; -1: they have none */
	s8 time_trailer, id_trailer;
	u8 prefix_slots, trailer_slots;
	u8 user_regs, intr_regs;	/* how many registers a sample has */
	bool hw_index, branch_counters, id_all;
};

struct sample_plan {
	const struct evset *set;
	u32 nr;
	struct event_plan *ev;		/* by event idx */
	bool same_time;			/* all events have the time at the same position */
	u32 nr_places;			/* number of positions at which events keep their id: usually 1 */
	struct { s8 slot, trailer; } place[8];
	u64 id_min, id_span;
	u32 *id_table;			/* id - id_min -> event idx + 1; NULL: ids lie too far apart */
};

#endif
