/*
 * Spans: calls of a function with their durations, and the time of each by state; which are slow and which
 * fast, and for what the slow ones wait longer. Times are ns.
 */
#ifndef PERF_WALL_SPANS_H
#define PERF_WALL_SPANS_H

#include "../base/arena.h"
#include "../base/histogram.h"
#include "wall.h"

/* the slowest tenth, at least one; up to the median; others */
enum wall_speed { WALL_SPEED_NONE, WALL_SPEED_FAST, WALL_SPEED_MIDDLE, WALL_SPEED_SLOW, WALL_NR_SPEEDS };

struct wall_span {
	s32 pid, tid;
	u64 begin, end;			/* end 0: it has not returned */
	u64 ns[WALL_NR_STATES];
	enum wall_speed speed;
	u32 nr_inner;			/* calls of the same function inside */
};

/* time of calls by reason, of all slow and of all fast ones */
struct wall_span_part {
	enum wall_state state;
	enum wall_wait wait;
	u32 target;			/* as in struct wall_slice */
	const char *target_name;	/* set by the caller; "" */
	u64 slow, fast;
};

struct wall_spans {
	struct { VEC(struct wall_span); } call;	/* those that returned, the slowest one first */
	struct { VEC(struct wall_span_part); } part;	/* what makes the largest difference first */
	struct histogram histogram;
	struct arena arena;		/* for names */
	u64 nr_slow, nr_fast;
	u64 slow_from, fast_to;		/* durations */
	u64 nr_inner, nr_open;		/* nr_open: that have not returned, or were left without a return */
	u64 nr_no_entry;		/* returns from calls whose entry was not seen */
};

/* orders the calls, and tells how fast each is */
void wall_spans_rank(struct wall_spans *s);
/* of a call of this duration, after that */
enum wall_speed wall_spans_speed(const struct wall_spans *s, u64 ns);
void wall_spans_add_part(struct wall_spans *s, enum wall_speed speed, const struct wall_slice *slice);
/* after all parts */
void wall_spans_sort_parts(struct wall_spans *s);
/* how much longer a slow call is in it on average than a fast one; negative: shorter */
s64 wall_span_part_extra(const struct wall_spans *s, const struct wall_span_part *p);
/* the duration that this share of the calls does not exceed; percent: 0 to 100 */
u64 wall_spans_percentile(const struct wall_spans *s, u32 percent);
void wall_spans_release(struct wall_spans *s);
/* "fast", "slow", "-" */
const char *wall_speed_word(enum wall_speed speed);
static inline u64 wall_span_ns(const struct wall_span *c)
{
	return c->end - c->begin;
}

#endif
