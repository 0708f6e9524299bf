/*
 * Cut: where stacks of a picture end, if a profile has more of them than a picture can show. A frame whose
 * share of its event is below 1/opts.cut is left out with all that it called. So that memory does not grow
 * with the number of such frames without limit, sums are by some bits of the hash of the frames from the
 * outermost caller on: equal hashes make a sum too large, so some frames are kept that could be left out. The
 * result is the same for any number of threads.
 */
#ifndef PERF_HIST_CUT_H
#define PERF_HIST_CUT_H

#include "cut-table.h"
#include "labelled.h"

struct path_cut {
	struct cut_table *sum;	/* 1 << bits tables by the lowest bits of the hash; NULL: nothing is cut */
	u32 bits;
	u64 *frame;		/* hash of what a label shows */
};

/* after label_buckets() */
void path_cut_make(struct path_cut *c, const struct hist *h, const struct worker_results *s);
void path_cut_release(struct path_cut *c);
/* how many of the labels are kept, from the outermost caller on */
u32 path_cut_keep(const struct path_cut *c, const struct hist *h, u32 event, const struct path *p);
/* the smallest period of a frame that is kept */
u64 path_cut_min(const struct hist *h, u32 event);

#endif
