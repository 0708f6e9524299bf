/*
 * Wall-calls: calls of one function (--span): how long each took, and where its time went. Entries and
 * returns are paired as by perf probe --latency (util/probe/call-times.h). A call that begins inside another
 * one of the same thread is a part of that one. Slices of calls are kept until all calls are known, because
 * which calls are slow is only known then; calls that have not returned are left out.
 */
#ifndef PERF_INJECT_WALL_CALLS_H
#define PERF_INJECT_WALL_CALLS_H

#include "../probe/call-times.h"
#include "../wall/spans.h"
#include "../wall/wall.h"

struct wall_call_slice {
	union {
		struct wall_slice slice;
		struct wall_run run;
	};
	u32 call;
	bool is_run;
};
struct wall_open_call {
	s32 tid;
	u32 call;		/* idx; UINT32_MAX: none */
};

struct wall_calls {
	struct call_times times;
	struct { VEC(struct wall_span); } call;
	struct { VEC(struct wall_call_slice); } kept;
	struct { VEC(struct wall_open_call); } open;
	struct hidx by_tid;
};

/* pop: what a return adds to the stack pointer */
void wall_calls_init(struct wall_calls *c, u32 pop);
void wall_calls_release(struct wall_calls *c);
/* a thread enters the function, or returns from it; sp, back (call_times_enter()): 0 if not recorded */
void wall_calls_enter(struct wall_calls *c, const struct wall_event *e, u64 sp, u64 back);
void wall_calls_return(struct wall_calls *c, const struct wall_event *e, u64 sp);
/* where its open calls return to: call_times_callers() */
static inline u32 wall_calls_callers(struct wall_calls *c, s32 tid, u64 *back, u32 max)
{
	return call_times_callers(&c->times, tid, back, max);
}
/* keeps a slice or CPU time of a thread if it is in a call */
void wall_calls_slice(struct wall_calls *c, const struct wall_slice *s);
void wall_calls_run(struct wall_calls *c, const struct wall_run *r);
/* after all records: which calls are slow and fast; fills *ret, which the caller releases */
void wall_calls_finish(struct wall_calls *c, struct wall_spans *ret);

#endif
