/* Wall-slot-sums: see wall-slot-sums.h. */
#include "wall-slot-sums.h"

#include <string.h>

struct sums_sample {
	u64 time;
	u32 stack;
};

struct wall_slot_sums_thread {
	s32 tid;
	bool counted;
	s32 parent;			/* of a thread without slices; 0: not known */
	u64 born;			/* 0: not known */
	u64 next;			/* end of its last slice */
	u32 last;			/* newest stack; WALL_NO_STACK */
	struct { VEC(struct sums_sample); } sample;	/* for which no CPU time is known yet */
};

static struct wall_slot_sums_thread *thread_of(struct wall_slot_sums *s, s32 tid)
{
	return vec_find_or_add(&s->thread, &s->by_tid, hash_u64((u32)tid), t, t->tid == tid,
			       (struct wall_slot_sums_thread){ .tid = tid, .last = WALL_NO_STACK });
}

struct wall_slice wall_slot_sums_slice(const struct wall_slot_raw *raw, const struct wall_event *e,
				  enum wall_wait wait)
{
	bool waits = raw->state == WALL_BLOCKED || raw->state == WALL_IDLE;
	u64 begin = raw->begin[0] | (u64)raw->begin[1] << 32, ns = raw->ns[0] | (u64)raw->ns[1] << 32;
	struct wall_slice s = {
		.pid = e->pid, .tid = e->tid, .state = raw->state, .begin = begin,
		.end = begin + MIN(ns, UINT64_MAX - begin), .stack = e->stack, .cpu = e->cpu,
		.waker = raw->flags & WALL_SLOT_BY_INTERRUPT ? 0 :
			 raw->flags & WALL_SLOT_HAS_WAKER ? raw->waker_tid : -1,
		.waker_stack = WALL_NO_STACK, .target = waits ? e->target : 0,
	};

	if (!waits)
		return s;
	s.wait = wait;
	s.state = wall_wait_is_idle(wait) ? WALL_IDLE : WALL_BLOCKED;
	return s;
}

void wall_slot_sums_fork(struct wall_slot_sums *s, s32 tid, s32 parent, u64 time)
{
	struct wall_slot_sums_thread *t = thread_of(s, tid);

	t->parent = parent;
	t->born = time;
	t->last = WALL_NO_STACK;
}

void wall_slot_sums_sample(struct wall_slot_sums *s, const struct wall_event *e)
{
	struct wall_slot_sums_thread *t = thread_of(s, e->tid);

	vec_push(&t->sample, (struct sums_sample){ e->time, e->stack });
}

/* where samples of a slice end: with its slot, if the slice is not longer */
static u64 end_of_samples(const struct wall_slot_sums *s, const struct wall_slice *slice)
{
	u64 slot = s->slot_ns;

	if (!slot)
		return UINT64_MAX;
	return slice->end - slice->begin >= slot ? slice->end : (slice->begin / slot + 1) * slot;
}

/* the same part of it to each sample until then */
static void give_run(struct wall_slot_sums_thread *t, const struct wall *w, const struct wall_slice *s,
		     u64 until)
{
	u64 left = s->end - s->begin;
	struct wall_run r = { .pid = s->pid, .tid = s->tid, .cpu = s->cpu };
	const struct sums_sample none = { s->end, t->last };
	size_t nr = 0;

	while (nr < t->sample.nr && t->sample.v[nr].time < until)
		nr++;
	for (size_t n = MAX(nr, (size_t)1); n; n--) {
		const struct sums_sample *sample = nr ? &t->sample.v[n - 1] : &none;

		r.ns = left / n;
		r.stack = sample->stack;
		r.time = sample->time;
		left -= r.ns;
		if (r.ns)
			w->ops->run(w->ctx, &r);
	}
	if (!nr)
		return;
	t->last = t->sample.v[nr - 1].stack;
	memmove(t->sample.v, t->sample.v + nr, (t->sample.nr - nr) * sizeof(*t->sample.v));
	t->sample.nr -= nr;
}

/* false: it was before everything else */
static bool cut(const struct wall_slot_sums *s, const struct wall_slot_sums_thread *t,
		struct wall_slice *slice)
{
	slice->begin = MAX(slice->begin, MAX(s->from, t->born));
	return slice->begin < slice->end;
}

void wall_slot_sums_give(struct wall_slot_sums *s, struct wall *w, const struct wall_slice *from)
{
	struct wall_slot_sums_thread *t = thread_of(s, from->tid);
	struct wall_slice slice = *from, moved;
	u64 ns;

	if (!cut(s, t, &slice))
		return;
	ns = slice.end - slice.begin;
	moved = slice;
	moved.begin = MAX(slice.begin, t->next);
	moved.end = moved.begin + MIN(ns, UINT64_MAX - moved.begin);
	t->next = moved.end;
	if (t->parent && slice.state != WALL_BLOCKED && slice.state != WALL_IDLE)
		moved.waker = t->parent;
	t->parent = 0;
	if (slice.stack != WALL_NO_STACK)
		t->last = slice.stack;
	w->totals.first = MIN(w->totals.first, slice.begin);
	w->totals.last = MAX(w->totals.last, slice.end);
	w->totals.ns[slice.state] += ns;
	w->totals.nr_threads += !t->counted;
	t->counted = true;
	if (slice.state == WALL_ON && w->ops->run)
		give_run(t, w, &moved, end_of_samples(s, from));
	if (w->ops->slice)
		w->ops->slice(w->ctx, &moved);
}

void wall_slot_sums_release(struct wall_slot_sums *s)
{
	vec_foreach(&s->thread, t)
		vec_release(&t->sample);
	vec_release(&s->thread);
	hidx_release(&s->by_tid);
}
