/* Slices of elapsed time as lines of text, for unit tests of wall and its critical path. */
#ifndef PERF_TESTS_UNIT_WALL_TEXT_H
#define PERF_TESTS_UNIT_WALL_TEXT_H

#include "test.h"
#include "../../util/base/strbuf.h"
#include "../../util/wall/wall.h"

static struct strbuf text;

static inline void on_slice(void *ctx UNUSED, const struct wall_slice *s)
{
	strbuf_addf(&text, "%d %s %lu-%lu", s->tid, wall_state_word(s->state), s->begin, s->end);
	if (s->wait != WALL_WAIT_NONE)
		strbuf_addf(&text, " %s", wall_wait_word(s->wait));
	if (s->waker >= 0)
		strbuf_addf(&text, " by %d", s->waker);
	strbuf_addch(&text, '\n');
}

static const struct wall_ops slices UNUSED = { .slice = on_slice };
static const struct wall_source all UNUSED = { .has_arrivals = true, .has_samples = true };

static inline struct wall_event at(u64 time, s32 tid, u32 stack)
{
	return (struct wall_event){ .time = time, .pid = 1, .tid = tid, .stack = stack, .cpu = 0 };
}
#define AT(when, who) (&(struct wall_event){ .time = when, .pid = -1, .tid = who, .stack = WALL_NO_STACK, \
					     .cpu = UINT32_MAX })

static inline void start(struct wall *w, const struct wall_source *source, const struct wall_ops *ops)
{
	strbuf_reset(&text);
	wall_init(w, source, ops, NULL);
}

/* the slices, and that they are the whole time of the threads */
static inline const char *finish(struct wall *w, u64 elapsed)
{
	u64 sum = 0;

	wall_finish(w);
	for (u32 i = 0; i < WALL_NR_STATES; i++)
		sum += w->totals.ns[i];
	CHECK_U64(sum, elapsed);
	wall_release(w);
	return strbuf_str(&text);
}

#endif
