/*
 * Wall-samples: slices as samples of the event wall:slice, in the output of a copy. They are kept until
 * wall_samples_flush(), or until they are many, as each write is a system call.
 */
#ifndef PERF_INJECT_WALL_SAMPLES_H
#define PERF_INJECT_WALL_SAMPLES_H

#include "wall-stacks.h"
#include "wall-sums.h"
#include "wall-targets.h"
#include "wall-wakers.h"

struct inject;

/* stacks, targets and wakers: what the numbers of slices mean */
struct wall_samples {
	struct inject *in;
	struct resolver *r;
	struct wall_stacks *stacks;
	struct wall_targets *targets;
	struct wall_wakers *wakers;
	const struct event *event;	/* of slices, in in->set */
	u64 id;
	enum wall_speed speed;		/* of the call of which slices are written */
	struct strbuf waker;
	struct strbuf records;		/* that are not written yet */
	struct wall_sums sums;		/* with inject_opts.wall_sums: they are written after these */
	bool named_no_stacks;		/* wall_no_stack_put_names() was called */
	u64 nr;				/* slices that were taken */
	u64 nr_dropped;			/* and those that were too large */
	int error;			/* of the first write that failed */
};

/* adds the event to in->set and its format to in->feat; all pointers are set */
void wall_samples_start(struct wall_samples *w);
void wall_samples_slice(struct wall_samples *w, const struct wall_slice *slice);
/* CPU time is given by runs, sample by sample */
void wall_samples_run(struct wall_samples *w, const struct wall_run *run);
/* writes all; from that time on names may be others */
void wall_samples_flush(struct wall_samples *w, u64 time);
void wall_samples_release(struct wall_samples *w);

#endif
