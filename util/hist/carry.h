/*
 * Carry: the sums that one count of a live session hands on to the next. A count covers the samples of one
 * interval. Before it begins, the sums of earlier counts are added as if they were samples, so that a table
 * shows the recent past and not the last interval alone.
 *
 *	opts.carry = &carry;
 *	h = hist_carry_fold(&carry, session, &opts, false);	the samples of this interval, and what was
 *								carried
 *	...							views of h
 *	hist_carry_decay(&carry);				once per refresh
 *
 * An entry is carried with the keys of one of its samples and one of its frames; with call chains, each of
 * its chains, with one frame of each label. Keys that are addresses are carried as frames, texts of
 * tracepoints as texts, since their numbers belong to one count. Memory grows with entries: one that has
 * decayed to a millionth of its event's period is gone, and so is a chain with less than 1/20000 of it. What
 * depends on how many tasks ran at a time is not carried: hist_carry_check() refuses keys that need it.
 */
#ifndef PERF_HIST_CARRY_H
#define PERF_HIST_CARRY_H

#include "count-worker.h"
#include "hist.h"
#include "sort-order.h"

struct carry_row {
	struct frame frame;
	u64 nr, period;
	u64 samples;		/* if branches are counted: the number of samples among nr */
	u32 chain, nr_chain;	/* range of carry.chain, innermost first */
	u8 cpumode;
};

/* samples of an event that no entry shows, because of filters */
struct carry_hidden {
	u64 nr, period, cycles;
};

struct carry_frame {
	u32 frame;		/* position in frames */
	u64 mark;		/* of a branch's end, see branch-history.h; 0 */
};

struct hist_carry {
	struct { VEC(struct carry_row); } row;
	struct { VEC(u64); } key;		/* nr_key of each row: event, slots */
	struct { VEC(u64); } sum;		/* nr_sum of each row, as buckets have them */
	struct { VEC(struct carry_hidden); } hidden;	/* by event */
	struct { VEC(struct carry_frame); } chain;
	struct { VEC(struct frame); } frame;
	struct strtab texts;
	u32 nr_key, nr_sum;
	/* of each word of keys: it is an id in texts, or a position in frame */
	bool is_text[1 + HIST_MAX_KEYS], is_frame[1 + HIST_MAX_KEYS];
};

/* -EINVAL with err if the order needs a key or column that live tables do not have */
int hist_carry_check(const struct sort_order *order, struct err *err);
/* replaces what was carried by the entries of h, which was collected with opts.carry */
void hist_carry_take(struct hist_carry *c, const struct hist *h);
/* multiplies every number by 7/8 */
void hist_carry_decay(struct hist_carry *c);
void hist_carry_clear(struct hist_carry *c);
void hist_carry_release(struct hist_carry *c);

/* for count_run(): adds what is carried to the tables of a worker that has counted nothing yet */
void hist_carry_give(const struct hist_carry *c, struct count_worker *w, const struct hist_opts *o);

#endif
