/* Wall-calls: see wall-calls.h. */
#include "wall-calls.h"

#include <string.h>

#define NO_CALL UINT32_MAX

void wall_calls_init(struct wall_calls *c, u32 pop)
{
	*c = (struct wall_calls){ 0 };
	call_times_init(&c->times, &(struct call_times_opts){ .pop = pop });
	call_times_add_function(&c->times, "");
}

void wall_calls_release(struct wall_calls *c)
{
	call_times_release(&c->times);
	vec_release(&c->call);
	vec_release(&c->kept);
	vec_release(&c->open);
	hidx_release(&c->by_tid);
}

/* ---- calls ---- */

static struct wall_open_call *find_open(const struct wall_calls *c, s32 tid)
{
	u32 i;

	HIDX_FOREACH(&c->by_tid, hash_u64((u32)tid), i)
		if (c->open.v[i].tid == tid)
			return &c->open.v[i];
	return NULL;
}

static struct wall_open_call *open_of(struct wall_calls *c, s32 tid)
{
	struct wall_open_call *o = find_open(c, tid);

	if (o)
		return o;
	hidx_insert(&c->by_tid, hash_u64((u32)tid), c->open.nr);
	vec_push(&c->open, (struct wall_open_call){ .tid = tid, .call = NO_CALL });
	return &c->open.v[c->open.nr - 1];
}

void wall_calls_enter(struct wall_calls *c, const struct wall_event *e, u64 sp, u64 back)
{
	struct wall_open_call *o = open_of(c, e->tid);
	const struct call_times_call *outer;

	call_times_enter(&c->times, 0, e->tid, e->time, sp, back);
	outer = call_times_outermost(&c->times, e->tid);
	/* the call that was open is still there; or this one has its place: then it was left */
	if (o->call != NO_CALL && outer && outer->time == c->call.v[o->call].begin) {
		c->call.v[o->call].nr_inner++;
		return;
	}
	o->call = c->call.nr;
	vec_push(&c->call, (struct wall_span){ .pid = e->pid, .tid = e->tid, .begin = e->time });
}

void wall_calls_return(struct wall_calls *c, const struct wall_event *e, u64 sp)
{
	struct wall_open_call *o = open_of(c, e->tid);
	u64 ns = call_times_return(&c->times, 0, e->tid, e->time, sp);
	struct wall_span *call;

	if (o->call == NO_CALL || ns == UINT64_MAX || call_times_outermost(&c->times, e->tid))
		return;
	call = &c->call.v[o->call];
	if (e->time - ns == call->begin)
		call->end = e->time;
	o->call = NO_CALL;
}

/* ---- slices ---- */

static u32 call_of(const struct wall_calls *c, s32 tid)
{
	const struct wall_open_call *o = find_open(c, tid);

	return o ? o->call : NO_CALL;
}

void wall_calls_slice(struct wall_calls *c, const struct wall_slice *s)
{
	u32 call = call_of(c, s->tid);

	if (call != NO_CALL)
		vec_push(&c->kept, (struct wall_call_slice){ .slice = *s, .call = call });
}

void wall_calls_run(struct wall_calls *c, const struct wall_run *r)
{
	u32 call = call_of(c, r->tid);

	if (call != NO_CALL)
		vec_push(&c->kept, (struct wall_call_slice){ .run = *r, .call = call, .is_run = true });
}

/* CPU time as a slice without place */
static struct wall_slice slice_of(const struct wall_call_slice *k)
{
	return k->is_run ? (struct wall_slice){ .state = WALL_ON, .end = k->run.ns } : k->slice;
}

void wall_calls_finish(struct wall_calls *c, struct wall_spans *ret)
{
	vec_foreach(&c->kept, k) {
		struct wall_slice s = slice_of(k);

		c->call.v[k->call].ns[s.state] += s.end - s.begin;
	}
	vec_foreach(&c->call, call) {
		if (call->end)
			vec_push(&ret->call, *call);
		else
			ret->nr_open++;
	}
	ret->nr_no_entry = c->times.function.v[0].nr_no_entry;
	wall_spans_rank(ret);
	vec_foreach(&c->call, call)
		if (call->end)
			call->speed = wall_spans_speed(ret, wall_span_ns(call));
	vec_foreach(&c->kept, k) {
		struct wall_slice s = slice_of(k);

		wall_spans_add_part(ret, c->call.v[k->call].speed, &s);
	}
	wall_spans_sort_parts(ret);
}
