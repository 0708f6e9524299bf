/*
 * Branch histories: call chains that continue through the branches before the sample. The innermost frames
 * are the ends of the branches, from the last one back: where it went, then where it left. They are followed
 * by callers of the call chain whose calls are not among the branches.
 *
 * Loops are folded: branches that repeat in the same order appear once, with the number of times that they
 * were taken; the innermost end says how many iterations there were and how many cycles each took.
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

/* a mark: numbers in bits of a u64. NR: how often the branch of this end was taken, 1 without a loop */
#define BRANCH_MARK_CYCLES(mark)	((mark) & 0xffff)	/* of a source, on average */
#define BRANCH_MARK_SOURCE		(1ull << 16)
#define BRANCH_MARK_TARGET		(1ull << 17)
#define BRANCH_MARK_CALLER		(1ull << 18)	/* of the call chain */
#define BRANCH_MARK_LOOP		(1ull << 19)	/* a target: the end of a loop */
#define BRANCH_MARK_NR(mark)		((mark) >> 20 & 0x1ff)
#define BRANCH_MARK_PREDICTED(mark)	((mark) >> 29 & 0x1ff)	/* of a target: how many were predicted */
#define BRANCH_MARK_ABORTS(mark)	((mark) >> 38 & 0x1ff)
#define BRANCH_MARK_ITERATION(mark)	((mark) >> 47)	/* of a loop: cycles per iteration; 0: unknown */
#define BRANCH_MARK_ITERATION_MAX	0x1ffffull

/* adds up the first nr branches */
void branch_sums(const struct branch_entry *b, u64 nr, u64 ret[HIST_NR_BRANCH_SUMS]);

/*
 * Adds the addresses of a history to the worker's look-up, as ctx says where they are; returns their number.
 * The marks are in w->mark, by position in the look-up. chain has not been walked yet; fold: loops are there
 * once
 */
u32 history_take(struct count_worker *w, const struct sample *s, const struct sample_ctx *ctx,
		 struct sample_chain *chain, bool fold, u32 max);
/* after the look-up: frames with marks instead of nr frames from position first on */
void history_mark(struct count_worker *w, u32 first, u32 nr);

/* a frame with a mark */
u32 history_marked(struct count_worker *w, u32 frame, u64 mark);

/* the frame without its mark */
u32 history_frame(const struct count_worker *w, u32 frame);
/* labels of the worker's marked frames, by their number: w->marked_label */
void history_labels(struct hist *h, struct hidx *idx, struct count_worker *w);

/* what a node of a call graph says of its branches */
struct history_note {
	u64 targets, predicted, aborts, cycles, timed, callers;
	u64 loops, iterations, iteration_cycles;
};
void history_note_add(struct history_note *n, u64 mark, u64 nr);
/* appends "predicted:25.0%", or nothing */
void history_note_text(const struct history_note *n, struct strbuf *out);

#endif
