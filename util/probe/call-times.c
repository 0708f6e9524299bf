/* Call-times: pairs entries and returns, and adds up durations. */
#include "call-times.h"

#include <stdlib.h>
#include <string.h>

#define MAX_OPEN 4096u			/* calls of a thread that have not returned */
#define SAME_STACK (8u << 20)		/* stack pointers that are closer are of one stack */

/* ---- sums ---- */

static void sum_add(struct call_times_sum *s, u64 duration)
{
	s->min = s->nr ? MIN(s->min, duration) : duration;
	s->max = MAX(s->max, duration);
	s->nr++;
	s->total += duration;
}

u64 call_times_percentile(const struct call_times_function *f, double p)
{
	const struct call_times_sum *s = &f->sum;

	return s->nr ? MIN(MAX(histogram_percentile(&f->histogram, s->nr, p), s->min), s->max) : 0;
}

u32 call_times_add_function(struct call_times *l, const char *name)
{
	vec_push(&l->function, (struct call_times_function){ .name = name });
	return l->function.nr - 1;
}

void call_times_add_caller(struct call_times *l, u32 function, u32 dso, u64 addr, u64 duration)
{
	u64 hash = hash_u64(addr ^ (u64)dso << 40 ^ (u64)function << 56);
	struct call_times_site *site;

	site = vec_find_or_add(&l->site, &l->by_place, hash, s, s->addr == addr && s->dso == dso &&
			       s->function == function,
			       (struct call_times_site){ .function = function, .dso = dso, .addr = addr });
	sum_add(&site->sum, duration);
}

/* ---- open calls ---- */

static struct call_times_thread *thread_of(struct call_times *l, s32 tid)
{
	return vec_find_or_add(&l->thread, &l->by_tid, hash_u64((u32)tid), t, t->tid == tid,
			       (struct call_times_thread){ .tid = tid });
}

static void remove_call(struct call_times_thread *th, size_t i)
{
	memmove(&th->call.v[i], &th->call.v[i + 1], (th->call.nr - i - 1) * sizeof(*th->call.v));
	th->call.nr--;
}

/*
 * removes calls from `from` on whose frames are below sp in the same stack: they have returned. Also a call
 * of `function` at sp itself, if it is called there again (UINT32_MAX: none)
 */
static void drop_left(struct call_times *l, struct call_times_thread *th, size_t from, u64 sp, u32 function)
{
	for (size_t i = th->call.nr; i > from; i--) {
		const struct call_times_call *c = &th->call.v[i - 1];

		if (c->sp > sp || sp - c->sp > SAME_STACK || (c->sp == sp && c->function != function))
			continue;
		l->function.v[c->function].nr_left++;
		remove_call(th, i - 1);
	}
}

static u32 depth_of(const struct call_times_thread *th, u32 function)
{
	u32 depth = 0;

	for (size_t i = 0; i < th->call.nr; i++)
		depth += th->call.v[i].function == function;
	return depth;
}

/*
 * After a probe of the return, the return address is that of the kernel's page in the process, which takes
 * returns: a function that is entered with it was jumped to. Hardly any call ends at the beginning of a page
 */
static bool is_jump(u64 back)
{
	return back && !(back & 4095);
}

void call_times_enter(struct call_times *l, u32 function, s32 tid, u64 time, u64 sp, u64 back)
{
	struct call_times_thread *th = thread_of(l, tid);
	struct call_times_function *f = &l->function.v[function];

	f->nr_entries++;
	drop_left(l, th, 0, sp, is_jump(back) ? UINT32_MAX : function);
	if (th->call.nr == MAX_OPEN) {
		l->function.v[th->call.v[0].function].nr_left++;
		remove_call(th, 0);
	}
	vec_push(&th->call, (struct call_times_call){ time, sp, back, function });
	if (th->call.nr > f->max_depth)
		f->max_depth = MAX(f->max_depth, depth_of(th, function));
}

u64 call_times_return(struct call_times *l, u32 function, s32 tid, u64 time, u64 sp)
{
	struct call_times_thread *th = thread_of(l, tid);
	struct call_times_function *f = &l->function.v[function];

	for (size_t i = th->call.nr; i; i--) {
		const struct call_times_call c = th->call.v[i - 1];
		u64 duration = time - c.time;

		/* a record that comes too late is not the return from a call that began after it */
		if (c.function != function || c.sp + l->pop != sp || c.time > time)
			continue;
		/* the calls that began after it, deeper in the same stack */
		drop_left(l, th, i, c.sp, UINT32_MAX);
		remove_call(th, i - 1);
		sum_add(&f->sum, duration);
		histogram_add(&f->histogram, duration);
		return duration;
	}
	f->nr_no_entry++;
	return UINT64_MAX;
}

const struct call_times_call *call_times_outermost(struct call_times *l, s32 tid)
{
	const struct call_times_thread *th = thread_of(l, tid);

	return th->call.nr ? &th->call.v[0] : NULL;
}

u32 call_times_callers(struct call_times *l, s32 tid, u64 *back, u32 max)
{
	const struct call_times_thread *th = thread_of(l, tid);
	u32 nr = 0;

	for (size_t i = th->call.nr; i && nr < max; i--) {
		const struct call_times_call *c = &th->call.v[i - 1];

		/* what was jumped to has the place of the call that jumped */
		if (i > 1 && c[-1].sp == c->sp)
			continue;
		back[nr++] = c->back;
	}
	return nr;
}

u64 call_times_open_calls(const struct call_times *l, u32 function)
{
	u64 nr = 0;

	vec_foreach(&l->thread, th)
		nr += depth_of(th, function);
	return nr;
}

/* ---- handlers ---- */

const struct tracing_field call_times_entry_fields[] = {
	{ .name = "sp" }, { .name = "back", .optional = true }, { 0 }
};
const struct tracing_field call_times_return_fields[] = {
	{ .name = "__probe_ret_ip" }, { .name = "sp" }, { 0 }
};

/* rows of entry and return alternate; the first one is at tracing_opts.row */
static u32 function_of(const struct call_times *l, const struct tracing_sample *ts)
{
	return (ts->row - l->row) / 2;
}

void call_times_on_entry(void *ctx, const struct tracing_sample *ts)
{
	struct call_times *l = ctx;

	call_times_enter(l, function_of(l, ts), ts->sample->tid, ts->sample->time, ts->value[0],
			 ts->value[1]);
}

void call_times_on_return(void *ctx, const struct tracing_sample *ts)
{
	struct call_times *l = ctx;
	u32 function = function_of(l, ts);
	u64 ret_ip = ts->value[0];
	u64 duration = call_times_return(l, function, ts->sample->tid, ts->sample->time, ts->value[1]);
	struct loc loc;

	if (duration == UINT64_MAX)
		return;
	if (l->generation != ts->generation) {
		locator_reset(&l->locator);
		l->generation = ts->generation;
	}
	/* the call is the instruction before */
	loc = locator_find(&l->locator, tracing_ctx(ts), l->is_kernel ? CPUMODE_KERNEL : CPUMODE_USER,
			   ret_ip - 1);
	call_times_add_caller(l, function, loc.dso, loc.dso == ID_NONE ? ret_ip : loc.dso_addr, duration);
}

void call_times_init(struct call_times *l, const struct call_times_opts *o)
{
	*l = (struct call_times){ .pop = o->pop, .is_kernel = o->is_kernel, .row = o->row };
}

void call_times_set_session(struct call_times *l, const struct session *s)
{
	l->session = s;
	locator_init(&l->locator, s->machine);
}

void call_times_release(struct call_times *l)
{
	vec_foreach(&l->function, f)
		histogram_release(&f->histogram);
	vec_foreach(&l->thread, th)
		vec_release(&th->call);
	vec_release(&l->function);
	vec_release(&l->site);
	vec_release(&l->thread);
	hidx_release(&l->by_tid);
	hidx_release(&l->by_place);
	if (l->session)
		locator_release(&l->locator);
}
