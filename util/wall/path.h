/*
 * Path: the critical path of a recording: which slices decided how long it took. From the end of the process
 * that ended last it goes backwards: through what its first thread did, and from the end of each wait to the
 * thread that ended the wait, and from the beginning of a thread to the one that began it. What lies on it
 * follows without gaps, so its parts add up to the time from the first record to that end. Of a range of
 * time it has the parts that are in it.
 *
 * A wait that nobody in the recording ended (an interrupt, a thread that was not recorded) is on the path
 * itself, and so is one whose waker did not run then: the recording contradicts itself.
 */
#ifndef PERF_WALL_PATH_H
#define PERF_WALL_PATH_H

#include "wall.h"

/* all slices of all threads; a zeroed one is empty */
struct wall_path {
	struct { VEC(struct wall_slice); } slice;
	u64 first;		/* time of the first record, or a later one: where the path ends */
	u64 last;		/* nothing after it is given; 0: at the end of the recording */
	/* in which thread it begins, at last; 0: at its end in the first one of the process that ends last */
	s32 tid;
	u64 slack;		/* ns by which slices may be in a wrong place: where wakers are looked for */
};

void wall_path_add(struct wall_path *p, const struct wall_slice *s);
/*
 * Calls part for each piece of the path, from its end to its beginning: a slice with the begin and end that
 * are on the path. Time in which nothing is known of the thread is a piece that is WALL_UNKNOWN. Orders the
 * slices.
 */
void wall_path_walk(struct wall_path *p, void (*part)(void *ctx, const struct wall_slice *s), void *ctx);
void wall_path_release(struct wall_path *p);

#endif
