/* Path: see path.h. */
#include "path.h"
#include "../base/search.h"

#include <stdlib.h>

void wall_path_add(struct wall_path *p, const struct wall_slice *s)
{
	vec_push(&p->slice, *s);
}

void wall_path_release(struct wall_path *p)
{
	vec_release(&p->slice);
}

/* by thread, then by time */
static int compare_slices(const void *a, const void *b)
{
	const struct wall_slice *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* the slice of the thread that contains the moment before time, or else its last one before that; NULL */
static const struct wall_slice *slice_before(const struct wall_path *p, s32 tid, u64 time)
{
	size_t low;

	/* the first one that is not before (tid, time) */
	low = LOWER_BOUND(p->slice.nr, i,
			 p->slice.v[i].tid < tid || (p->slice.v[i].tid == tid && p->slice.v[i].begin < time));
	return low && p->slice.v[low - 1].tid == tid ? &p->slice.v[low - 1] : NULL;
}

/* of the same thread as s, the nearest slice on a CPU within slack of time; earlier ones first; NULL */
static const struct wall_slice *running_near(const struct wall_path *p, const struct wall_slice *s, u64 time)
{
	const struct wall_slice *first = p->slice.v, *last = first + p->slice.nr - 1, *t;

	for (t = s; t >= first && t->tid == s->tid && t->end + p->slack >= time; t--)
		if (t->state == WALL_ON)
			return t;
	for (t = s; t <= last && t->tid == s->tid && t->begin <= time + p->slack; t++)
		if (t->state == WALL_ON)
			return t;
	return NULL;
}

/*
 * the slice in which a thread woke another one: it ran, as far as is known, or was about to end (its end is
 * recorded first)
 */
static const struct wall_slice *running_before(const struct wall_path *p, s32 tid, u64 time)
{
	const struct wall_slice *s = tid > 0 ? slice_before(p, tid, time) : NULL;

	if (s && (s->state == WALL_ON || s->state == WALL_UNKNOWN))
		return s;
	return s && p->slack ? running_near(p, s, time) : NULL;
}

static u64 end_of(const struct wall_path *p, const struct wall_slice *s)
{
	return p->last ? MIN(s->end, p->last) : s->end;
}

static const struct wall_slice *last_slice(const struct wall_path *p, bool of_leaders)
{
	const struct wall_slice *last = NULL;

	for (size_t i = 0; i < p->slice.nr; i++) {
		const struct wall_slice *s = &p->slice.v[i];

		if (p->last && s->begin >= p->last)
			continue;
		if ((s->pid == s->tid || !of_leaders) && (!last || end_of(p, s) > end_of(p, last)))
			last = s;
	}
	return last;
}

/*
 * The last slice of the first thread of a process, if one is known: where a process ends, the kernel ends its
 * other threads, some of them later. Of threads that ended at the same time, as at the end of a recording,
 * the first that was seen.
 */
static const struct wall_slice *end_of_path(const struct wall_path *p)
{
	const struct wall_slice *last = last_slice(p, true);

	return last ? last : last_slice(p, false);
}

#define MAX_JUMPS 8

struct critical_walk {
	const struct wall_path *path;
	void (*part)(void *ctx, const struct wall_slice *s);
	void *ctx;
	u64 time;		/* the path is known from here on */
	u32 jumps;		/* from a wait to its waker since the last piece */
};

static void give_part(struct critical_walk *w, const struct wall_slice *s, u64 begin)
{
	struct wall_slice piece = *s;

	/* the path may end inside of a slice; it never goes forwards */
	begin = MIN(MAX(begin, w->path->first), w->time);
	piece.begin = begin;
	piece.end = w->path->last ? MIN(w->time, w->path->last) : w->time;
	if (begin < piece.end)
		w->part(w->ctx, &piece);
	if (begin < w->time)
		w->jumps = 0;
	w->time = begin;
}

/* nothing is known of the thread from begin on */
static void give_gap(struct critical_walk *w, s32 pid, s32 tid, u64 begin)
{
	const struct wall_slice gap = { .pid = pid, .tid = tid, .state = WALL_UNKNOWN, .stack = WALL_NO_STACK,
					.waker_stack = WALL_NO_STACK, .waker = -1, .cpu = UINT32_MAX };

	give_part(w, &gap, begin);
}

/* one step back from a slice that begins before now; the slice in which the path goes on, NULL at its end */
static const struct wall_slice *step_back(struct critical_walk *w, const struct wall_slice *s)
{
	bool waits = s->state == WALL_BLOCKED || s->state == WALL_IDLE;
	const struct wall_slice *waker = running_before(w->path, s->waker, waits ? w->time : s->begin);
	const struct wall_slice *before;

	/* threads that wake each other at one time, as far as is known: the wait is on the path */
	if (waits && waker && w->jumps++ < MAX_JUMPS)
		return waker;
	give_part(w, s, s->begin);
	if (!waits && waker)	/* which began this thread */
		return waker;
	before = slice_before(w->path, s->tid, w->time);
	/* another thread had the tid before */
	give_gap(w, s->pid, s->tid, before ? before->end : w->path->first);
	return before;
}

void wall_path_walk(struct wall_path *p, void (*part)(void *ctx, const struct wall_slice *s), void *ctx)
{
	struct critical_walk w = { .path = p, .part = part, .ctx = ctx };
	const struct wall_slice *s = p->tid ? NULL : end_of_path(p);
	s32 tid = s ? s->tid : p->tid;

	if (!tid)
		return;
	if (p->slice.nr)
		qsort(p->slice.v, p->slice.nr, sizeof(*p->slice.v), compare_slices);
	/* what ends its wait may come after the range */
	s = p->tid ? NULL : slice_before(p, tid, UINT64_MAX);
	w.time = s ? s->end : p->last;
	for (s = slice_before(p, tid, w.time); s && w.time > p->first; s = step_back(&w, s))
		;
}
