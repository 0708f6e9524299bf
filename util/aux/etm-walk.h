/*
 * The walk of a CoreSight trace of ETMv4 or ETE: each atom says of the next branch in the code whether it was
 * taken; addresses say where indirect branches led. What happens on the way is told to pt-emit.c, which makes
 * samples of it. A walk is of one piece, and one worker. Private to the kind coresight.
 */
#ifndef PERF_AUX_ETM_WALK_H
#define PERF_AUX_ETM_WALK_H

#include "etm-unit.h"
#include "pt-walk.h"

/* const while pieces are decoded. pt is what is shared with Intel PT, and the first one */
struct etm_setup {
	struct pt_setup pt;
	bool kernel_time;	/* time stamps are the kernel's times, whatever the units say */
	const struct csd_plugin_ops *second;	/* of a second decoder; else NULL */
	u32 nr_units;
	struct etm_unit unit[];
};

enum { ETM_QUEUE = 512 };	/* elements that are not committed yet; of more, the oldest are taken to be */

/* what a thread keeps from piece to piece */
struct etm_worker {
	struct pt_code *code;
	struct etm_atoms { u32 atoms, nr; } atom[64];	/* of headers from 0xc0 on */
	struct etm_packet queue[ETM_QUEUE];
};

struct etm_walk {
	struct pt_walk w;
	const struct etm_unit *unit;
	struct etm_state s;
	struct pt_block *indirect;	/* the last block: an address will say where its branch led */
	bool aarch32;			/* the code is not A64 */
	s32 tid;			/* of the last context packet; -1: not known */
	bool has_task;			/* the task is that of tid at this time */
	s32 task_tid;
	u64 task_time;
	bool timed;			/* time stamps can be converted */
	bool synced;			/* a TRACE_INFO packet was there */
	bool told;			/* that there is no code */
	bool returns_to;		/* the next address is the one that an exception returns to */
	u32 exception;			/* its number */
	/* an exception was taken at from: an address will say where it led. flags 0: none was */
	u32 flags;
	u64 from;
	bool gap;			/* what happened before the next address is not known */
	u32 threshold;			/* cycles that packets leave out of their counts */
	bool counts;			/* the next count begins at w.counted */
	u64 skip;			/* P0 elements of the piece before that are not committed yet */
	const struct etm_atoms *atom;
	struct etm_packet *queue;
	u32 first, nr, nr_p0;		/* of queue, a ring */
};

void etm_walk_piece(struct etm_walk *e);

/*
 * ---- what the second decoder (etm-libopencsd.c) shares: the kind's events(), worker_new() and
 * worker_free(), and steps of the walk ----
 */
int etm_events(struct aux *a, struct err *err);
void *etm_worker_new(const struct aux *a);
void etm_worker_free(void *worker);
/* time stamps of the unit can be converted */
bool etm_has_times(const struct aux *a, const struct etm_unit *u);
/* whose code is executed: as context packets say, else the stream's thread, else who ran on the CPU then */
void etm_set_task(struct etm_walk *e);
void etm_set_context(struct etm_walk *e, const struct etm_context *c);
void etm_take_time(struct etm_walk *e, u64 time);
/* INSN_* of an exception with this number, as the unit's packets have it */
u32 etm_exception_flags(const struct etm_unit *u, u32 nr);
/*
 * cycles were counted up to this number of instructions; known: how many. The first count after a gap (see
 * e->counts) is not told
 */
void etm_set_count(struct etm_walk *e, u64 insns, bool known, u64 cycles);
/* an element happened: ATOM, ADDR, CONTEXT, EXCEPT, SRC_ADDR, Q, TRANS_*, TRACE_ON; others do nothing */
void etm_take(struct etm_walk *e, const struct etm_packet *p);

/*
 * ---- etm-queue.c: elements that the processor may still take back. P0 elements, such as atoms, are counted
 * in packets that commit or cancel ----
 */
void etm_queue_add(struct etm_walk *e, const struct etm_packet *p);
/* the oldest nr P0 elements are certain, and what is between them and the next one */
void etm_queue_commit(struct etm_walk *e, u64 nr);
/* the newest nr P0 elements did not happen */
void etm_queue_cancel(struct etm_walk *e, u64 nr);
/* the newest atom is the other one */
void etm_queue_mispredict(struct etm_walk *e);
/*
 * A packet that commits and counts cycles since the count before, up to the last instruction that is certain.
 * A count is left out after a place that is not known, or if it is not known itself
 */
void etm_take_count(struct etm_walk *e, const struct etm_packet *p);

/* etm-split.c: see split in aux-private.h */
int etm_split(struct aux *a, struct err *err);

#endif
