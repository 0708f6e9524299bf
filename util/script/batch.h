/*
 * Batch: records in the order in which they become lines. That is the ordered reader's, but for samples whose
 * user call chain the kernel recorded later, on the way back to user space (CALLCHAIN_DEFERRED): they wait
 * for it, and get it.
 */
#ifndef PERF_SCRIPT_BATCH_H
#define PERF_SCRIPT_BATCH_H

#include "../base/arena.h"
#include "../session/session.h"

#define BATCH 16384u

struct batch {
	struct rec rec[BATCH];
	u64 time[BATCH];
	/* of the samples the records with the rest of their chains (p NULL: none); NULL: nobody waits */
	struct rec *chain;
	size_t nr;
	struct arena copies;	/* of records that waited */
};

/* a batch loses records in place: record i, which stays, becomes the one at this position, at most i */
static inline void batch_keep(struct batch *b, size_t at, size_t i)
{
	b->rec[at] = b->rec[i];
	b->time[at] = b->time[i];
	if (b->chain)
		b->chain[at] = b->chain[i];
}

struct batch_reader;
/* merge: samples get their deferred chains; sorted: by time, else as in the file */
struct batch_reader *batch_reader_new(const struct session *s, bool merge, bool sorted);
void batch_reader_free(struct batch_reader *r);
/*
 * fills b with at most max records (BATCH or fewer); b->nr is 0 at the end, or where a session that is read
 * live has nothing more yet
 */
void batch_read(struct batch_reader *r, struct batch *b, u32 max);
/* after session_more() */
void batch_reader_more(struct batch_reader *r);
void batch_release(struct batch *b);

#endif
