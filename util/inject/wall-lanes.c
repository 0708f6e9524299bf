/* Wall-lanes: see wall-lanes.h. */
#include "wall-lanes.h"

static struct wall_kept_thread *thread_of(struct wall_runs *r, s32 tid)
{
	u32 i;

	HIDX_FOREACH(&r->by_tid, hash_u64((u32)tid), i)
		if (r->thread.v[i].tid == tid)
			return &r->thread.v[i];
	hidx_insert(&r->by_tid, hash_u64((u32)tid), r->thread.nr);
	vec_push(&r->thread, (struct wall_kept_thread){ .tid = tid });
	return &r->thread.v[r->thread.nr - 1];
}

static u32 take_place(struct wall_runs *r)
{
	u32 at = r->free;

	if (at) {
		r->free = r->kept.v[at - 1].next;
		return at;
	}
	vec_push(&r->kept, (struct wall_kept_run){ .next = 0 });
	return r->kept.nr;
}

void wall_runs_keep(struct wall_runs *r, const struct wall_slice *s)
{
	struct wall_kept_thread *t = thread_of(r, s->tid);
	u32 at = take_place(r);

	r->kept.v[at - 1] = (struct wall_kept_run){ .slice = *s };
	if (t->last)
		r->kept.v[t->last - 1].next = at;
	else
		t->first = at;
	t->last = at;
}

void wall_runs_give(struct wall_runs *r, const struct wall_run *run,
		    void (*put)(void *ctx, const struct wall_run *run), void *ctx)
{
	struct wall_kept_thread *t = thread_of(r, run->tid);
	struct wall_run part = *run;

	for (u32 at = t->first; at; at = r->kept.v[at - 1].next) {
		const struct wall_slice *s = &r->kept.v[at - 1].slice;

		part.pid = s->pid >= 0 ? s->pid : run->pid;
		part.time = s->end;
		part.ns = s->end - s->begin;
		part.cpu = s->cpu;
		put(ctx, &part);
	}
	if (t->first) {
		r->kept.v[t->last - 1].next = r->free;
		r->free = t->first;
	}
	t->first = t->last = 0;
}

void wall_lanes_mark(void *ctx, const struct wall_slice *s)
{
	struct view_marks *marks = ctx;
	struct view_mark *last = marks->nr ? &marks->v[marks->nr - 1] : NULL;

	if (last && last->tid == s->tid && last->from == s->end)
		last->from = s->begin;
	else
		vec_push(marks, (struct view_mark){ .tid = s->tid, .from = s->begin, .to = s->end });
}

void wall_runs_release(struct wall_runs *r)
{
	vec_release(&r->kept);
	vec_release(&r->thread);
	hidx_release(&r->by_tid);
}
