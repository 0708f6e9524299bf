/* Spans: see spans.h. */
#include "spans.h"

#include <stdlib.h>

static const char *const words[] = {
	[WALL_SPEED_NONE] = "-", [WALL_SPEED_FAST] = "fast", [WALL_SPEED_MIDDLE] = "middle",
	[WALL_SPEED_SLOW] = "slow",
};

const char *wall_speed_word(enum wall_speed speed)
{
	return words[speed];
}

/* slowest first, then in the order of time */
static int compare_calls(const void *a, const void *b)
{
	const struct wall_span *x = a, *y = b;
	u64 nx = wall_span_ns(x), ny = wall_span_ns(y);

	if (nx != ny)
		return nx < ny ? 1 : -1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

enum wall_speed wall_spans_speed(const struct wall_spans *s, u64 ns)
{
	return ns <= s->fast_to ? WALL_SPEED_FAST : ns >= s->slow_from ? WALL_SPEED_SLOW : WALL_SPEED_MIDDLE;
}

/* calls that take as long as half of all are fast, so if all take the same there are no slow ones */
static void tell_speeds(struct wall_spans *s)
{
	size_t nr = s->call.nr, slow = MAX(nr / 10, (size_t)1);

	s->slow_from = wall_span_ns(&s->call.v[slow - 1]);
	s->fast_to = wall_span_ns(&s->call.v[nr / 2]);
	vec_foreach(&s->call, c) {
		c->speed = wall_spans_speed(s, wall_span_ns(c));
		s->nr_slow += c->speed == WALL_SPEED_SLOW;
		s->nr_fast += c->speed == WALL_SPEED_FAST;
	}
}

void wall_spans_rank(struct wall_spans *s)
{
	if (!s->call.nr)
		return;
	qsort(s->call.v, s->call.nr, sizeof(*s->call.v), compare_calls);
	vec_foreach(&s->call, c) {
		histogram_add(&s->histogram, wall_span_ns(c));
		s->nr_inner += c->nr_inner;
	}
	tell_speeds(s);
}

u64 wall_spans_percentile(const struct wall_spans *s, u32 percent)
{
	size_t nr = s->call.nr, rank = (nr * percent + 99) / 100;

	return nr ? wall_span_ns(&s->call.v[nr - MAX(rank, (size_t)1)]) : 0;
}

void wall_spans_add_part(struct wall_spans *s, enum wall_speed speed, const struct wall_slice *slice)
{
	u64 ns = slice->end - slice->begin;
	struct wall_span_part *p = NULL;

	if (speed != WALL_SPEED_SLOW && speed != WALL_SPEED_FAST)
		return;
	vec_foreach(&s->part, it)
		if (it->state == slice->state && it->wait == slice->wait && it->target == slice->target)
			p = it;
	if (!p) {
		p = vec_add(&s->part);
		*p = (struct wall_span_part){ .state = slice->state, .wait = slice->wait,
					      .target = slice->target, .target_name = "" };
	}
	*(speed == WALL_SPEED_SLOW ? &p->slow : &p->fast) += ns;
}

s64 wall_span_part_extra(const struct wall_spans *s, const struct wall_span_part *p)
{
	s64 slow = s->nr_slow ? p->slow / s->nr_slow : 0, fast = s->nr_fast ? p->fast / s->nr_fast : 0;

	return slow - fast;
}

void wall_spans_sort_parts(struct wall_spans *s)
{
	/* there are few, and qsort has no context */
	for (size_t i = 1; i < s->part.nr; i++) {
		struct wall_span_part p = s->part.v[i];
		s64 extra = wall_span_part_extra(s, &p);
		size_t at = i;

		for (; at && wall_span_part_extra(s, &s->part.v[at - 1]) < extra; at--)
			s->part.v[at] = s->part.v[at - 1];
		s->part.v[at] = p;
	}
}

void wall_spans_release(struct wall_spans *s)
{
	vec_release(&s->call);
	vec_release(&s->part);
	histogram_release(&s->histogram);
	arena_release(&s->arena);
}
