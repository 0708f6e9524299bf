/*
 * Wall-lanes: what a picture with a lane for each thread needs: the critical path as marks, and CPU time by
 * sample and by time. A sample has all CPU time that its thread used since its previous sample, which
 * waits may interrupt. Its slices are kept until it comes, and then each has the stack of the sample, so that
 * slices of a thread never overlap.
 */
#ifndef PERF_INJECT_WALL_LANES_H
#define PERF_INJECT_WALL_LANES_H

#include "../view/slots.h"
#include "../wall/wall.h"

struct wall_kept_run {
	struct wall_slice slice;
	u32 next;		/* position in kept plus one; 0: the last one of the thread */
};
struct wall_kept_thread {
	s32 tid;
	u32 first, last;	/* positions in kept plus one; 0: nothing is kept */
};

/* zeroed: empty */
struct wall_runs {
	struct { VEC(struct wall_kept_run); } kept;
	struct { VEC(struct wall_kept_thread); } thread;
	struct hidx by_tid;
	u32 free;		/* position plus one, by next; 0: none */
};

/* keeps a slice that is WALL_ON */
void wall_runs_keep(struct wall_runs *r, const struct wall_slice *s);
/* calls put for each kept slice of the thread of the run, as a run that ends with it; and forgets them */
void wall_runs_give(struct wall_runs *r, const struct wall_run *run,
		    void (*put)(void *ctx, const struct wall_run *run), void *ctx);
void wall_runs_release(struct wall_runs *r);
/*
 * for wall_path_walk(): adds a part of the critical path to the struct view_marks, which has later ones;
 * parts of one thread that follow each other are one mark
 */
void wall_lanes_mark(void *marks, const struct wall_slice *s);

#endif
