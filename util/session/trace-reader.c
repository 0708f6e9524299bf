/* Trace reader: see trace-reader.h. */
#include "trace-reader.h"
#include "../aux/feed.h"
#include "../base/cursor.h"
#include "../event/record-type.h"

#include <stdlib.h>

#define BYTES_MAX (4u << 20)	/* of records between two calls of trace_reader_begin() */
#define SAMPLE_TIME_AT 32u	/* header, IDENTIFIER, IP, TID */
#define ERROR_TIME_AT 40u

/* what was decoded of one CPU or thread, and not yet returned */
struct feed_run {
	u32 feed;
	u64 time, shown;	/* of the next record: its place in the order, and what the record says */
	size_t at;
	bool sampled;		/* a sample was there */
	struct strbuf rec;
};

/* records that were returned; the buffer is used again after another two calls */
struct used_buf {
	struct strbuf rec;
	u64 call;
};

struct trace_reader {
	const struct session *s;
	struct aux_feeds *feeds;
	bool swap, timed, sorted;
	u64 call, off;
	size_t bytes;
	struct { VEC(struct feed_run); } heap;	/* by time, then by feed */
	struct { VEC(struct used_buf); } used;
};

static inline bool is_older(const struct feed_run *a, const struct feed_run *b)
{
	return a->time < b->time || (a->time == b->time && a->feed < b->feed);
}

static void sift_down(struct trace_reader *t, size_t i)
{
	struct feed_run *v = t->heap.v, run = v[i];
	size_t nr = t->heap.nr, child;

	while ((child = 2 * i + 1) < nr) {
		child += child + 1 < nr && is_older(&v[child + 1], &v[child]);
		if (!is_older(&v[child], &run))
			break;
		v[i] = v[child];
		i = child;
	}
	v[i] = run;
}

static inline u64 u64_at(const struct trace_reader *t, const char *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return t->swap ? bswap_64(v) : v;
}

static inline struct rec_header header_at(const struct trace_reader *t, const char *p)
{
	struct rec_header h;

	memcpy(&h, p, sizeof(h));
	if (unlikely(t->swap))
		h = (struct rec_header){ bswap_32(h.type), bswap_16(h.misc), bswap_16(h.size) };
	return h;
}

/*
 * Times of a run do not decrease: a record that says so comes where it is. Those of errors are estimated, and
 * may be later than samples after them
 */
static inline void set_time(const struct trace_reader *t, struct feed_run *run)
{
	const char *p = run->rec.buf + run->at;
	bool is_sample = header_at(t, p).type == REC_SAMPLE;

	run->shown = 0;
	if (t->timed)
		run->shown = u64_at(t, p + (is_sample ? SAMPLE_TIME_AT : ERROR_TIME_AT));
	if (is_sample || !run->sampled)
		run->time = MAX(run->time, run->shown);
	run->sampled |= is_sample;
}

static struct strbuf free_buf(struct trace_reader *t)
{
	struct strbuf ret;

	if (!t->used.nr || t->used.v[0].call + 2 > t->call)
		return (struct strbuf)STRBUF_INIT;
	ret = t->used.v[0].rec;
	memmove(t->used.v, t->used.v + 1, --t->used.nr * sizeof(*t->used.v));
	strbuf_reset(&ret);
	return ret;
}

/* the next records of a run whose last ones were returned; false at the end */
static bool fill(struct trace_reader *t, struct feed_run *run)
{
	if (run->rec.buf)
		vec_push(&t->used, (struct used_buf){ run->rec, t->call });
	run->rec = free_buf(t);
	run->at = 0;
	if (aux_feeds_fill(t->feeds, run->feed, &run->rec)) {
		set_time(t, run);
		return true;
	}
	strbuf_release(&run->rec);
	return false;
}

struct trace_reader *trace_reader_new(const struct session *s, bool sorted)
{
	struct trace_reader *t;

	if (!s->aux || !s->streams_trace)
		return NULL;
	t = xcalloc(1, sizeof(*t));
	t->s = s;
	t->feeds = aux_feeds_new(s->aux);
	t->swap = s->data->swap;
	t->timed = sorted && s->has_time && aux_has_times(s->aux);
	t->sorted = sorted;
	t->off = s->data->stream.v[aux_stream(s->aux)].start;
	for (u32 i = 0; i < aux_feeds_nr(t->feeds); i++) {
		struct feed_run run = { .feed = i, .time = sorted ? 0 : UINT64_MAX };

		if (fill(t, &run))
			vec_push(&t->heap, run);
	}
	for (size_t i = t->heap.nr / 2; i--;)
		sift_down(t, i);
	return t;
}

void trace_reader_free(struct trace_reader *t)
{
	if (!t)
		return;
	vec_foreach(&t->heap, run)
		strbuf_release(&run->rec);
	vec_foreach(&t->used, u)
		strbuf_release(&u->rec);
	vec_release(&t->heap);
	vec_release(&t->used);
	aux_feeds_free(t->feeds, t->s->aux);
	free(t);
}

bool trace_reader_time(const struct trace_reader *t, u64 *ret)
{
	if (!t->heap.nr)
		return false;
	*ret = t->heap.v[0].time;
	return true;
}

void trace_reader_begin(struct trace_reader *t)
{
	t->call++;
	t->bytes = 0;
}

/* the first run is the oldest one before this time */
static u64 first_until(const struct trace_reader *t)
{
	const struct feed_run *v = t->heap.v, *next = NULL;

	if (t->heap.nr > 1)
		next = t->heap.nr > 2 && is_older(&v[2], &v[1]) ? &v[2] : &v[1];
	return next ? next->time + (v->feed < next->feed) : UINT64_MAX;
}

size_t trace_reader_take(struct trace_reader *t, struct rec *ret, u64 *ret_time, size_t max, u64 until)
{
	struct feed_run *run = t->heap.v;
	bool more = true;
	size_t nr = 0;

	until = MIN(until, first_until(t));
	while (nr < max && more && t->bytes < BYTES_MAX && (!nr || run->time < until)) {
		struct rec_header h = header_at(t, run->rec.buf + run->at);

		ret[nr] = (struct rec){ .p = (const u8 *)run->rec.buf + run->at, .size = h.size,
					.type = h.type, .misc = h.misc, .swap = t->swap, .off = t->off };
		ret_time[nr++] = run->shown;
		run->at += h.size;
		t->off += h.size;
		t->bytes += h.size;
		if (run->at < run->rec.len)
			set_time(t, run);
		else
			more = fill(t, run);
	}
	if (!more)
		t->heap.v[0] = t->heap.v[--t->heap.nr];
	if (t->heap.nr > 1)
		sift_down(t, 0);
	return nr;
}
