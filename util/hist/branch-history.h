/*
 * Branch histories: call chains that continue through the branches before the sample. The innermost frames
 * are the ends of the branches, from the last one back: where it went, then where it left. They are followed
 * by callers of the call chain whose calls are not among the branches.
 *
 * Ends of equal addresses differ by how the branch was predicted and how long it took, which is a mark. While
 * samples are counted, a frame with a mark is a number of its own (MARKED_FRAME); it becomes a label with the
 * mark, so paths differ by it, and call graphs add up the marks of the labels that are one node.
 */
#ifndef PERF_HIST_BRANCH_HISTORY_H
#define PERF_HIST_BRANCH_HISTORY_H

#include "hist.h"

struct count_worker;
struct sample_chain;

/* in place of a frame: the number of a row of count_worker.marked: the frame and its mark */
#define MARKED_FRAME (1u << 31)

#define BRANCH_MARK_CYCLES(mark)	((mark) & 0xffff)	/* of the branch whose source it is */
#define BRANCH_MARK_SOURCE		(1u << 16)
#define BRANCH_MARK_TARGET		(1u << 17)
#define BRANCH_MARK_CALLER		(1u << 18)	/* of the call chain */
#define BRANCH_MARK_PREDICTED		(1u << 19)
#define BRANCH_MARK_ABORT		(1u << 20)

/* adds up the first nr branches */
void branch_sums(const struct branch_entry *b, u64 nr, u64 ret[HIST_NR_BRANCH_SUMS]);

/*
 * Adds the addresses of a history to the worker's look-up, as ctx says where they are; returns their number.
 * The marks are in w->mark, by position in the look-up. chain has not been walked yet
 */
u32 history_take(struct count_worker *w, const struct sample *s, const struct sample_ctx *ctx,
		 struct sample_chain *chain, u32 max);
/* after the look-up: frames with marks instead of nr frames from position first on */
void history_mark(struct count_worker *w, u32 first, u32 nr);

/* a frame with a mark */
u32 history_marked(struct count_worker *w, u32 frame, u32 mark);

/* the frame itself */
u32 history_frame(const struct count_worker *w, u32 frame);
/* labels of the worker's marked frames, by their number: w->marked_label */
void history_labels(struct hist *h, struct hidx *idx, struct count_worker *w);

/* what a node of a call graph says of its branches */
struct history_note {
	u64 targets, predicted, aborts, cycles, timed, callers;
};
void history_note_add(struct history_note *n, u32 mark, u64 nr);
/* appends "predicted:25.0%", or nothing */
void history_note_text(const struct history_note *n, struct strbuf *out);

#endif
