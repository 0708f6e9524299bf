/*
 * What a trace says of samples of other events (letters G and L of --itrace): the call chain and the last
 * branches at their time. The samples are noted while the file is scanned; a walk over the trace, in the
 * order of time, then fills in what was so at each; and decoding of samples (event/sample.h) looks it up.
 */
#ifndef PERF_AUX_HISTORY_H
#define PERF_AUX_HISTORY_H

#include "aux-private.h"

/* a sample */
struct aux_moment {
	const u8 *rec;		/* its record */
	u64 time, ip;
	u32 cpu;
	s32 tid;
	u32 nr_chain, nr_branches;
	u64 chain, branch;	/* positions */
};

struct aux_history;
void aux_history_free(struct aux_history *h);
/* events of the file that are sampled get these, and a->history is set. The plan of d must be the last one */
void aux_history_open(struct aux *a, bool chains, bool branches);
void aux_history_see(struct aux_history *h, const struct rec *rec, const struct sample *sm);
/* walks the whole trace. The queues are at their beginning, before and after it */
void aux_history_find(struct aux *a);

/* for decoders: the next sample before that time in the stream; NULL: none is left */
struct aux_moment *aux_history_next(struct aux_history *h, u64 time);
void aux_history_put(struct aux_history *h, struct aux_moment *m, const u64 *chain, u32 nr,
		     const struct branch_entry *branch, u32 nr_branches);

#endif
