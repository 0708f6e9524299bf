/*
 * Branch streams: the branch histories of the samples of an event, for comparing what code ran one after
 * another. Histories whose functions and source lines are the same are one stream, so streams of different
 * builds can be compared. For a hist that was collected with branch_streams_opts().
 */
#ifndef PERF_HIST_BRANCH_STREAMS_H
#define PERF_HIST_BRANCH_STREAMS_H

#include "hist.h"

struct branch_stream {
	const char *text;	/* lines: a branch end or a caller each, the last one first */
	u64 nr;			/* samples */
	u64 cycles;		/* of all branches in all of these samples */
};

struct branch_streams {
	struct { VEC(struct branch_stream); } stream;	/* the most frequent one first */
	u64 nr;					/* samples of the event that filters kept */
	struct strtab texts;			/* where the texts are */
};

/* call chains as branch_streams_take() needs them; mode_choose() has set the history */
void branch_streams_opts(struct hist_opts *o);
void branch_streams_take(const struct hist *h, u32 event, struct branch_streams *ret);
void branch_streams_release(struct branch_streams *s);

#endif
