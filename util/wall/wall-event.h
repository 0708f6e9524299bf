/*
 * Wall event: slices of threads as samples of one ordinary event, wall:slice. Its period is ns, and its
 * payload is that of a tracepoint, with a format that is stored beside it: so reports, scripts, filters and
 * other programs read it as they read any tracepoint. Fields: state, wait (numbers of the tables of wall.h),
 * waker, ns, wait_target, speed (enum wall_speed).
 */
#ifndef PERF_WALL_WALL_EVENT_H
#define PERF_WALL_WALL_EVENT_H

#include <string.h>
#include "../base/strbuf.h"
#include "../event/event.h"
#include "../event/sample.h"
#include "spans.h"
#include "wall.h"

#define WALL_EVENT_NAME "wall:slice"
/* attr.config, and common_type of payloads: above the numbers that kernels give */
#define WALL_EVENT_ID 65000u
#define WALL_WAKER_LEN 32u
#define WALL_TARGET_LEN 128u	/* with its NUL; longer ones are cut */

/* the payload, in the byte order of this machine */
struct wall_payload {
	u16 type;
	u8 flags, preempt_count;
	s32 pid;
	u8 state, wait;
	u8 speed;		/* enum wall_speed */
	u8 is_sum;		/* the last 8 bytes are the number of slices, a u64 */
	s32 waker_tid;
	u64 ns;
	char waker[WALL_WAKER_LEN - 2];	/* "comm:tid", or empty */
	char none[2];			/* "-", the text of wait_target where there is none */
	u32 target;			/* place of wait_target: its length << 16 | offset */
	char text[4];			/* that text, of any length */
};

struct wall_sample {
	u64 time, ns;
	s32 pid, tid;
	u32 cpu;
	enum wall_state state;
	enum wall_wait wait;
	enum wall_speed speed;
	s32 waker_tid;
	const char *waker;
	const char *target;	/* "" or NULL: not known */
	const u64 *chain;	/* with context markers */
	u32 nr_chain;
	bool is_sum;		/* wall_event_add() adds others to it */
};

/* the event is wall:slice */
bool wall_event_is(const struct event *ev);
/* the set has such an event */
bool wall_event_in(const struct evset *set);
/*
 * Turns ev into the event: its attributes are set so that records of the other events of the set, which have
 * the trailer bits of like, are read as before. It samples IP, TID, TIME, PERIOD, CALLCHAIN, RAW at least.
 */
void wall_event_set(struct event *ev, const struct pe_attr *like);
/* the header feature TRACING_DATA that describes the event */
void wall_event_formats(struct strbuf *out);
/* appends a SAMPLE record of the event, whose id is this; false: it would be too large */
bool wall_event_put(struct strbuf *out, const struct event *ev, u64 id, const struct wall_sample *s);
/* adds one more slice of ns to a record of a sum, which wall_event_put() made of that event */
void wall_event_add(char *rec, const struct event *ev, u64 ns);
/* the number of slices that a sample of that event is the sum of, at least 1 */
u64 wall_event_slices(const struct sample *s);
/* the state in the payload of a sample of that event; WALL_UNKNOWN if it is damaged */
static inline enum wall_state wall_event_state(const struct sample *s)
{
	const u8 *raw = s->raw;

	if (s->raw_size <= offsetof(struct wall_payload, state))
		return WALL_UNKNOWN;
	return MIN(raw[offsetof(struct wall_payload, state)], (u8)WALL_UNKNOWN);
}
/* the reason in the payload; WALL_WAIT_NONE if it is damaged */
static inline enum wall_wait wall_event_wait(const struct sample *s)
{
	const u8 *raw = s->raw;
	u8 wait = s->raw_size <= offsetof(struct wall_payload, wait) ? WALL_WAIT_NONE :
		  raw[offsetof(struct wall_payload, wait)];

	return wait < WALL_NR_WAITS ? wait : WALL_WAIT_NONE;
}
/* the thread that ended a wait, as in struct wall_slice */
static inline s32 wall_event_waker(const struct sample *s)
{
	s32 tid = -1;

	if (s->raw_size >= offsetof(struct wall_payload, waker_tid) + sizeof(tid))
		memcpy(&tid, (const u8 *)s->raw + offsetof(struct wall_payload, waker_tid), sizeof(tid));
	return tid;
}
/* the word of the field state, wait or speed of a sample of that event; NULL: another one, or damaged */
const char *wall_event_word(const struct sample *s, const char *field);

#endif
