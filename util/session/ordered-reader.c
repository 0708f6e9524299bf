/*
 * Ordered reader. A recorder drains its rings one after another and then writes FINISHED_ROUND: whatever it
 * drains afterwards is not older than the newest record of the round before. So at each round all records up
 * to the newest time of the previous round can be returned in order; only the others are held, as (time,
 * offset) pairs. Streams of a directory are merged.
 */
#include "session-private.h"
#include "../base/cursor.h"
#include "../base/timesort.h"

#include <stdlib.h>
#include <string.h>

#define BATCH_UNTIMED 65536u	/* a file without times or rounds is returned in pieces, too */

#define PREFETCH_AHEAD 16u

struct refs {
	VEC(struct time_ref);
};

struct stream_cursor {
	const struct data_stream *stream;
	struct rec_walk walk;
	struct window win;
	/* time -> file offset: records that were read, but may not be returned yet */
	struct refs pending;
	struct refs ready;		/* in order; the next one is at ready_pos */
	struct refs tmp;
	size_t ready_pos;
	u64 max_time;			/* newest so far */
	/* newest of the round before: records up to it become ready at the next round */
	u64 limit;
	u64 flushed;
	bool at_end;
};

struct ordered_reader {
	const struct session *session;
	struct diag diag;
	bool unsorted;
	u32 nr;
	struct stream_cursor *stream;
};

struct ordered_reader *ordered_reader_open(const struct session *s)
{
	struct ordered_reader *c = xcalloc(1, sizeof(*c));

	c->session = s;
	c->nr = s->data->stream.nr;
	c->stream = xcalloc(MAX(c->nr, 1u), sizeof(*c->stream));
	for (u32 i = 0; i < c->nr; i++) {
		const struct data_stream *st = &s->data->stream.v[i];
		struct stream_cursor *sc = &c->stream[i];

		sc->stream = st;
		sc->walk = rec_walk_of(s->data, st, st->start, st->end, &c->diag);
		sc->win = (struct window){ .stream = st, .start = st->start };
	}
	return c;
}

struct ordered_reader *ordered_reader_open_unsorted(const struct session *s)
{
	struct ordered_reader *c = ordered_reader_open(s);

	c->unsorted = true;
	return c;
}

void ordered_reader_close(struct ordered_reader *c)
{
	if (!c)
		return;
	for (u32 i = 0; i < c->nr; i++) {
		vec_release(&c->stream[i].pending);
		vec_release(&c->stream[i].ready);
		vec_release(&c->stream[i].tmp);
	}
	free(c->stream);
	free(c);
}

const struct diag *ordered_reader_diag(const struct ordered_reader *c)
{
	return &c->diag;
}

/* everything pending up to limit becomes ready */
static void flush(struct stream_cursor *sc, u64 limit)
{
	struct refs *p = &sc->pending;
	size_t nr = 0;

	vec_reserve(&sc->tmp, p->nr);
	if (time_sort_either(p->v, p->nr, sc->tmp.v) != p->v) {
		struct refs sorted = sc->tmp;

		sorted.nr = p->nr;
		sc->tmp = *p;
		*p = sorted;
	}
	while (nr < p->nr && p->v[nr].time <= limit)
		nr++;
	if (!nr)
		return;
	vec_reserve(&sc->ready, sc->ready.nr + nr);
	memcpy(sc->ready.v + sc->ready.nr, p->v, nr * sizeof(*p->v));
	sc->ready.nr += nr;
	memmove(p->v, p->v + nr, (p->nr - nr) * sizeof(*p->v));
	p->nr -= nr;
	sc->flushed = MAX(sc->flushed, sc->ready.v[sc->ready.nr - 1].time);
}

/* releases the pages that contain nothing pending */
static void forget_pages(struct stream_cursor *sc)
{
	u64 keep = sc->walk.off;

	if (keep - sc->win.start < SESSION_WINDOW)
		return;
	vec_foreach(&sc->pending, r)
		keep = MIN(keep, r->ref);
	if (keep > sc->win.start) {
		data_dont_need(sc->stream, sc->win.start, keep);
		sc->win.start = keep;
	}
}

void ordered_reader_more(struct ordered_reader *c)
{
	for (u32 i = 0; i < c->nr; i++) {
		forget_pages(&c->stream[i]);
		c->stream[i].walk.end = c->stream[i].stream->end;
	}
}

/* false: it has no time and is returned at once */
static inline bool rec_time(const struct session *s, const struct rec *r, u64 *ret)
{
	return s->has_time && sample_time_at(s->data->plan, s->time_off, r, ret) && *ret &&
	       *ret != UINT64_MAX;
}

/* reads until something is ready; false at the end of the stream */
static bool fill(struct ordered_reader *c, struct stream_cursor *sc)
{
	struct rec r;
	u64 time;

	sc->ready.nr = sc->ready_pos = 0;
	if (!c->session->live)		/* else only these pages exist: ordered_reader_more() */
		forget_pages(sc);
	while (!sc->at_end) {
		if (!rec_next(&sc->walk, &r)) {
			if (c->session->data->live)
				break;		/* more data will follow */
			flush(sc, UINT64_MAX);
			sc->at_end = true;
			break;
		}
		if (unlikely(r.off >= sc->win.end))
			window_move(&sc->win, r.off, sc->win.start);
		__builtin_prefetch(r.p + 1024);
		if (!c->unsorted && rec_time(c->session, &r, &time)) {
			if (unlikely(time < sc->flushed))
				diag_count(&c->diag, DIAG_OUT_OF_ORDER, r.off);
			sc->max_time = MAX(sc->max_time, time);
			vec_push(&sc->pending, (struct time_ref){ time, r.off });
			continue;
		}
		vec_push(&sc->ready, (struct time_ref){ 0, r.off });
		if (r.type == REC_FINISHED_ROUND) {
			flush(sc, sc->limit);
			sc->limit = sc->max_time;
			break;
		}
		if (sc->ready.nr >= BATCH_UNTIMED)
			break;
	}
	return sc->ready.nr;
}

static inline void rec_at(const struct ordered_reader *c, const struct stream_cursor *sc, u64 off,
			  struct rec *ret)
{
	struct rec_header h;

	memcpy(&h, sc->stream->base + off, sizeof(h));
	if (unlikely(sc->walk.swap))
		h = (struct rec_header){ bswap_32(h.type), bswap_16(h.misc), bswap_16(h.size) };
	*ret = (struct rec){ .p = sc->stream->base + off, .size = h.size, .type = h.type, .misc = h.misc,
			     .swap = sc->walk.swap, .off = off };
}

/* the bytes of records that will be returned soon: those of several rings alternate */
static inline void prefetch_ahead(const struct stream_cursor *sc)
{
	size_t pos = sc->ready_pos + PREFETCH_AHEAD;

	if (pos >= sc->ready.nr)
		return;
	__builtin_prefetch(sc->stream->base + sc->ready.v[pos].ref);
	__builtin_prefetch(sc->stream->base + sc->ready.v[pos].ref + 64);
}

/*
 * the stream whose next record is the oldest; NULL at the end. *ret_other: it remains the oldest up to this
 * time
 */
static struct stream_cursor *oldest(struct ordered_reader *c, u64 *ret_other)
{
	struct stream_cursor *best = NULL;

	*ret_other = UINT64_MAX;
	for (u32 i = 0; i < c->nr; i++) {
		struct stream_cursor *sc = &c->stream[i];
		u64 time;

		if (sc->ready_pos == sc->ready.nr && !fill(c, sc))
			continue;
		time = sc->ready.v[sc->ready_pos].time;
		if (!best) {
			best = sc;
		} else if (time < best->ready.v[best->ready_pos].time) {
			*ret_other = best->ready.v[best->ready_pos].time;
			best = sc;
		} else {
			*ret_other = MIN(*ret_other, time);
		}
	}
	return best;
}

size_t ordered_reader_next(struct ordered_reader *c, struct rec *ret, u64 *ret_time, size_t max)
{
	size_t nr = 0;

	while (nr < max) {
		u64 other;
		struct stream_cursor *sc = oldest(c, &other);

		if (!sc)
			break;
		do {
			const struct time_ref *t = &sc->ready.v[sc->ready_pos++];

			prefetch_ahead(sc);
			rec_at(c, sc, t->ref, &ret[nr]);
			ret_time[nr++] = t->time;
		} while (nr < max && sc->ready_pos < sc->ready.nr &&
			 (c->nr == 1 || sc->ready.v[sc->ready_pos].time < other));
	}
	return nr;
}
