/* The contents of a sample plan, for util/event only. A slot is 8 bytes. */
#ifndef PERF_EVENT_PLAN_H
#define PERF_EVENT_PLAN_H

#include "sample.h"

/* slots that most recordings have: with a constant no bit is tested */
#define EVENT_PLAN_USUAL (ABI_SAMPLE_IDENTIFIER | ABI_SAMPLE_IP | ABI_SAMPLE_TID | ABI_SAMPLE_TIME | \
			  ABI_SAMPLE_CPU | ABI_SAMPLE_PERIOD)

struct event_plan {
	const struct event *event;
	u64 type;			/* sample_type */
	u64 read_format;
	s8 time_slot, id_slot;		/* number of slots before them in a SAMPLE; -1: it has none */
	/* number of slots from the end of other records; -1: they have none */
	s8 time_trailer, id_trailer;
	u8 prefix_slots, trailer_slots;
	u16 numbers_size;		/* of all its records, whose fields are one slot each; 0: they vary */
	u8 user_regs, intr_regs;	/* how many registers a sample has */
	bool hw_index, branch_counters, id_all;
	bool only_raw;			/* slots, and RAW after them */
	bool usual_slots;		/* EVENT_PLAN_USUAL */
	bool is_probe;			/* RAW has the address of the probe, 8 bytes at probe_off */
	u32 probe_off;
	u64 found_fields;		/* not in the record: what find says */
	sample_find_history *find;
	const void *find_ctx;
};

/* in event_plan.type only: find is asked; no row of sample-fields.def has this bit */
#define EVENT_PLAN_FINDS (1ull << 63)

struct sample_plan {
	const struct evset *set;
	u32 nr;
	struct event_plan *ev;		/* by event idx */
	bool same_time;			/* all events have the time at the same position */
	u32 nr_places;			/* number of positions at which events keep their id: usually 1 */
	struct { s8 slot, trailer; } place[8];
	/*
	 * ids that lie close together; the second is of events that were made (util/aux). span 0: unused,
	 * or ids lie too far apart
	 */
	struct plan_ids {
		u64 min, span;
		u32 *table;		/* id - min -> event idx + 1 */
	} ids[2];
};

#endif
