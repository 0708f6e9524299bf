/*
 * Ordered reader. A recorder drains its rings one after another and then writes FINISHED_ROUND: whatever it
 * drains afterwards is not older than the newest record of the round before. So at each round all records up
 * to the newest time of the previous round can be returned in order; only the others are held. What came from
 * one ring is in order already: such runs are remembered, not each of their records, and merged by a heap of
 * their first records; records of thousands of runs are sorted instead. Between two pieces of a run lie
 * records that are left out or have no time. Streams of a directory are merged.
 */
#include "ordered-reader.h"
#include "session-private.h"
#include "trace-reader.h"
#include "../base/cursor.h"
#include "../base/sort.h"
#include "../event/record-type.h"

#include <stdlib.h>
#include <string.h>

#define BATCH_UNTIMED 65536u	/* a file without times or rounds is returned in pieces, too */

#define PREFETCH_AHEAD 4096u

/* records side by side in the file */
struct run_piece {
	u64 off, end;
};

/* records in the order of the file whose times do not decrease, without those that have been returned */
struct time_run {
	struct run_piece now;		/* the next record is at its off */
	u64 time;			/* of that record */
	size_t next, last;		/* the pieces after this one: from next to last, without it */
};

/* a run by the record that it returns next */
struct head {
	u64 time;
	size_t run;
};

struct stream_cursor {
	const struct data_stream *stream;
	struct rec_walk walk;
	struct window win;
	struct { VEC(struct time_run); } run;	/* by offset */
	struct { VEC(struct run_piece); } piece;	/* of these runs, by offset */
	struct { VEC(struct head); } heap;	/* of runs with records up to ready_limit: a heap */
	/* instead of the heap: offsets, from sorted_from, of all ready records, by time */
	struct { VEC(struct sort_pair); } sorted;
	size_t sorted_pos;
	u64 sorted_from;
	struct { VEC(u64); } untimed;		/* offsets of records that are returned before these */
	size_t untimed_pos;
	/* of the last record of the last run; UINT64_MAX: that run has been returned */
	u64 run_time;
	u64 max_time;			/* newest so far */
	/* newest of the round before: records up to it become ready at the next round */
	u64 limit;
	u64 ready_limit;		/* records up to it are returned now; the newest has this time */
	u64 unused;			/* the next release of pages ends here */
	bool at_end;
};

struct ordered_reader {
	const struct session *session;
	struct diag diag;
	struct diag counted_before;	/* damage of the file, which a scan has counted */
	bool unsorted;
	const bool *left_out;		/* by event idx; NULL: no samples are left out */
	u64 left_out_bytes;
	u32 nr;
	struct stream_cursor *stream;
	struct trace_reader *trace;	/* NULL: no trace is decoded meanwhile */
};

struct ordered_reader *ordered_reader_open_scanning(const struct session *s)
{
	struct ordered_reader *c = xcalloc(1, sizeof(*c));

	c->session = s;
	c->nr = s->data->stream.nr;
	c->stream = xcalloc(MAX(c->nr, 1u), sizeof(*c->stream));
	for (u32 i = 0; i < c->nr; i++) {
		const struct data_stream *st = &s->data->stream.v[i];
		struct stream_cursor *sc = &c->stream[i];

		sc->stream = st;
		sc->walk = rec_walk_of(s->data, st, st->start, st->end, &c->counted_before);
		sc->win = (struct window){ .stream = st, .start = st->start };
	}
	return c;
}

struct ordered_reader *ordered_reader_open(const struct session *s)
{
	struct ordered_reader *c;

	session_complete(s);
	c = ordered_reader_open_scanning(s);
	c->trace = trace_reader_new(s, true);
	return c;
}

struct ordered_reader *ordered_reader_open_unsorted(const struct session *s)
{
	struct ordered_reader *c;

	session_complete(s);
	c = ordered_reader_open_scanning(s);
	c->unsorted = true;
	c->trace = trace_reader_new(s, false);
	return c;
}

void ordered_reader_leave_out(struct ordered_reader *c, const bool *events)
{
	c->left_out = events;
}

u64 ordered_reader_left_out(const struct ordered_reader *c)
{
	return c->left_out_bytes;
}

void ordered_reader_close(struct ordered_reader *c)
{
	if (!c)
		return;
	for (u32 i = 0; i < c->nr; i++) {
		vec_release(&c->stream[i].run);
		vec_release(&c->stream[i].piece);
		vec_release(&c->stream[i].heap);
		vec_release(&c->stream[i].sorted);
		vec_release(&c->stream[i].untimed);
	}
	trace_reader_free(c->trace);
	free(c->stream);
	free(c);
}

const struct diag *ordered_reader_diag(const struct ordered_reader *c)
{
	return &c->diag;
}

static inline bool is_older(const struct head *a, const struct head *b)
{
	return a->time < b->time || (a->time == b->time && a->run < b->run);
}

/* moves the head at i down to its place */
static inline void sift_down(struct stream_cursor *sc, size_t i)
{
	struct head *v = sc->heap.v, h = v[i];
	size_t nr = sc->heap.nr, child;

	while ((child = 2 * i + 1) < nr) {
		child += child + 1 < nr && is_older(&v[child + 1], &v[child]);
		if (!is_older(&v[child], &h))
			break;
		v[i] = v[child];
		i = child;
	}
	v[i] = h;
}

/* false: it has no time and is returned at once */
static inline bool rec_time(const struct session *s, const struct rec *r, u64 *ret)
{
	return s->has_time && sample_time_at(s->data->plan, s->time_off, r, ret) && *ret &&
	       *ret != UINT64_MAX;
}

/* where the last piece of a run ends */
static inline u64 *end_of(const struct stream_cursor *sc, struct time_run *run)
{
	return run->next < run->last ? &sc->piece.v[run->last - 1].end : &run->now.end;
}

static inline void rec_at(const struct ordered_reader *c, const struct stream_cursor *sc, u64 off,
			  struct rec *ret)
{
	struct rec_header h;

	memcpy(&h, sc->stream->base + off, sizeof(h));
	if (unlikely(sc->walk.swap))
		h = (struct rec_header){ bswap_32(h.type), bswap_16(h.misc), bswap_16(h.size) };
	/* it was checked when it was added, but another program may write into the file */
	*ret = (struct rec){ .p = sc->stream->base + off, .type = h.type, .misc = h.misc,
			     .size = MIN(MAX(h.size, sizeof(h)), sc->stream->end - off),
			     .swap = sc->walk.swap, .off = off };
}

/* the run continues with its next piece; false: it has no more */
static inline bool next_piece(const struct stream_cursor *sc, struct time_run *run)
{
	run->now.off = run->now.end;
	if (run->next == run->last)
		return false;
	run->now = sc->piece.v[run->next++];
	return true;
}

/* takes the first record of a run from it; false: the rest, if any, has to wait for a later round */
static inline bool run_advance(const struct ordered_reader *c, const struct stream_cursor *sc,
			       struct time_run *run, const struct rec *r)
{
	struct rec next;

	/* checked when it was added, but another program may write into the file */
	if (likely(r->size >= sizeof(struct rec_header) && r->size < run->now.end - run->now.off))
		run->now.off += r->size;
	else if (!next_piece(sc, run))
		return false;
	rec_at(c, sc, run->now.off, &next);
	if (unlikely(!rec_time(c->session, &next, &run->time))) {
		run->now.off = run->now.end;
		return false;
	}
	return run->time <= sc->ready_limit;
}

/* more ready runs are not merged by the heap, which would not stay in the cache: their records are sorted */
#define SORT_RUNS 2048u
#define SORT_BYTES (256u << 20)		/* of records: at most */

/* the heads' runs as a list of all their ready records; false: too much */
static bool sort_ready(const struct ordered_reader *c, struct stream_cursor *sc)
{
	u64 first = UINT64_MAX, end = 0;
	struct sort_pair *tmp;

	if (sc->heap.nr <= SORT_RUNS)
		return false;
	vec_foreach(&sc->heap, h) {
		struct time_run *run = &sc->run.v[h->run];

		first = MIN(first, run->now.off);
		end = MAX(end, *end_of(sc, run));
	}
	if (end - first > SORT_BYTES)
		return false;
	sc->sorted.nr = sc->sorted_pos = 0;
	sc->sorted_from = first;
	vec_foreach(&sc->heap, h) {
		struct time_run *run = &sc->run.v[h->run];
		struct rec r;

		do {
			rec_at(c, sc, run->now.off, &r);
			vec_push(&sc->sorted, (struct sort_pair){ run->time, run->now.off - first });
		} while (run_advance(c, sc, run, &r));
	}
	sc->heap.nr = 0;
	tmp = xmalloc(sc->sorted.nr * sizeof(*tmp));
	sort_pairs(sc->sorted.v, tmp, sc->sorted.nr);
	free(tmp);
	return true;
}

/* everything up to limit becomes ready */
static void flush(const struct ordered_reader *c, struct stream_cursor *sc, u64 limit)
{
	sc->heap.nr = 0;
	for (size_t i = 0; i < sc->run.nr; i++)
		if (sc->run.v[i].time <= limit)
			vec_push(&sc->heap, (struct head){ sc->run.v[i].time, i });
	sc->ready_limit = limit;
	if (sort_ready(c, sc))
		return;
	for (size_t i = sc->heap.nr / 2; i--;)
		sift_down(sc, i);
}

static inline void add_timed(struct stream_cursor *sc, const struct rec *r, u64 time)
{
	struct time_run *last = sc->run.nr ? &sc->run.v[sc->run.nr - 1] : NULL;
	struct run_piece rec = { r->off, r->off + r->size };
	u64 *end = last && time >= sc->run_time ? end_of(sc, last) : NULL;

	if (likely(end && *end == r->off)) {
		*end = rec.end;
	} else if (end) {
		vec_push(&sc->piece, rec);
		last->last = sc->piece.nr;
	} else {
		vec_push(&sc->run, (struct time_run){ rec, time, sc->piece.nr, sc->piece.nr });
	}
	sc->run_time = time;
}

static void forget_returned(struct stream_cursor *sc)
{
	size_t nr = 0, pieces = 0;
	bool last_is_left = false;

	for (size_t i = 0; i < sc->run.nr; i++) {
		struct time_run run = sc->run.v[i];
		size_t left = run.last - run.next;

		last_is_left = run.now.off < run.now.end;
		if (!last_is_left)
			continue;
		if (left)
			memmove(&sc->piece.v[pieces], &sc->piece.v[run.next], left * sizeof(*sc->piece.v));
		run.next = pieces;
		run.last = pieces += left;
		sc->run.v[nr++] = run;
	}
	if (!last_is_left)
		sc->run_time = UINT64_MAX;	/* nothing follows the run before it */
	sc->run.nr = nr;
	sc->piece.nr = pieces;
	sc->untimed.nr = sc->untimed_pos = 0;
}

/*
 * releases the pages without pending records of the previous call: the caller may still hold records of later
 * pages
 */
static void forget_pages(struct stream_cursor *sc)
{
	u64 keep = sc->walk.off;

	if (keep - MAX(sc->win.start, sc->unused) < SESSION_WINDOW)
		return;
	vec_foreach(&sc->run, r)
		keep = MIN(keep, r->now.off);
	if (sc->sorted_pos < sc->sorted.nr)
		keep = MIN(keep, sc->sorted_from);
	if (sc->unused > sc->win.start) {
		data_dont_need(sc->stream, sc->win.start, sc->unused);
		sc->win.start = sc->unused;
	}
	sc->unused = keep;
}

void ordered_reader_more(struct ordered_reader *c)
{
	for (u32 i = 0; i < c->nr; i++) {
		forget_pages(&c->stream[i]);
		c->stream[i].walk.end = c->stream[i].stream->end;
	}
}

static inline bool leave_out(struct ordered_reader *c, const struct rec *r)
{
	const struct event *ev;

	if (!c->left_out || r->type != REC_SAMPLE)
		return false;
	ev = sample_event(c->session->data->plan, r);
	if (!ev || !c->left_out[ev->idx])
		return false;
	c->left_out_bytes += r->size;
	return true;
}

/* records with times are ready */
static inline bool has_timed(const struct stream_cursor *sc)
{
	return sc->heap.nr || sc->sorted_pos < sc->sorted.nr;
}

/* the time of the first of these */
static inline u64 first_time(const struct stream_cursor *sc)
{
	return sc->heap.nr ? sc->heap.v[0].time : sc->sorted.v[sc->sorted_pos].key;
}

/* reads until something is ready; false at the end of the stream */
static bool fill(struct ordered_reader *c, struct stream_cursor *sc)
{
	struct session_late *late = c->session->late;
	struct rec r;
	bool timed;
	u64 time;

	sc->walk.diag = late ? &c->diag : &c->counted_before;
	forget_returned(sc);
	if (!c->session->live)		/* else only these pages exist: ordered_reader_more() */
		forget_pages(sc);
	while (!sc->at_end) {
		if (!rec_next(&sc->walk, &r)) {
			if (c->session->data->live)
				break;		/* more data will follow */
			flush(c, sc, UINT64_MAX);
			sc->at_end = true;
			if (late)
				late->off = sc->walk.off;
			break;
		}
		if (unlikely(r.off >= sc->win.end))
			window_move(&sc->win, r.off, sc->win.start);
		__builtin_prefetch(r.p + PREFETCH_AHEAD);
		__builtin_prefetch(r.p + PREFETCH_AHEAD + 64);
		timed = rec_time(c->session, &r, &time);
		if (late && likely(timed && r.type == REC_SAMPLE))
			session_late_sample(late, &sc->walk, &r, time);
		else if (late)
			session_late_record(late, &sc->walk, &r);
		if (!c->unsorted && timed) {
			if (unlikely(time < sc->ready_limit))
				diag_count(&c->diag, DIAG_OUT_OF_ORDER, r.off);
			sc->max_time = MAX(sc->max_time, time);
			if (!leave_out(c, &r))
				add_timed(sc, &r, time);
			continue;
		}
		if (leave_out(c, &r))
			continue;
		vec_push(&sc->untimed, r.off);
		if (r.type == REC_FINISHED_ROUND) {
			flush(c, sc, sc->limit);
			sc->limit = sc->max_time;
			break;
		}
		if (sc->untimed.nr >= BATCH_UNTIMED)
			break;
	}
	return sc->untimed.nr || has_timed(sc);
}

/* records without time, before all others of their round */
static size_t return_untimed(struct ordered_reader *c, struct stream_cursor *sc, struct rec *ret,
			     u64 *ret_time, size_t max)
{
	size_t nr = 0;

	while (nr < max && sc->untimed_pos < sc->untimed.nr) {
		__builtin_prefetch(sc->stream->base + sc->untimed.v[sc->untimed_pos] + PREFETCH_AHEAD);
		rec_at(c, sc, sc->untimed.v[sc->untimed_pos++], &ret[nr]);
		ret_time[nr++] = 0;
	}
	return nr;
}

#define PREFETCH_RECORDS 16u

/* of the sorted records, those that are not newer than until */
static size_t return_sorted(struct ordered_reader *c, struct stream_cursor *sc, struct rec *ret,
			    u64 *ret_time, size_t max, u64 until)
{
	const struct sort_pair *v = sc->sorted.v;
	const u8 *base = sc->stream->base + sc->sorted_from;
	size_t nr = 0, pos = sc->sorted_pos;

	do {
		if (pos + PREFETCH_RECORDS < sc->sorted.nr) {
			__builtin_prefetch(base + v[pos + PREFETCH_RECORDS].val);
			__builtin_prefetch(base + v[pos + PREFETCH_RECORDS].val + 63);
		}
		rec_at(c, sc, sc->sorted_from + v[pos].val, &ret[nr]);
		ret_time[nr++] = v[pos++].key;
	} while (nr < max && pos < sc->sorted.nr && v[pos].key < until);
	sc->sorted_pos = pos;
	return nr;
}

/* before this time the first run has the oldest record of the stream */
static inline u64 first_until(const struct stream_cursor *sc)
{
	const struct head *v = sc->heap.v, *next = NULL;

	if (sc->heap.nr > 1)
		next = sc->heap.nr > 2 && is_older(&v[2], &v[1]) ? &v[2] : &v[1];
	return next ? next->time + (v->run < next->run) : UINT64_MAX;
}

/* of the first run, all records that are older than those of other runs, and than until */
static size_t return_run(struct ordered_reader *c, struct stream_cursor *sc, struct rec *ret, u64 *ret_time,
			 size_t max, u64 until)
{
	struct head *head = sc->heap.v;
	struct time_run *run = &sc->run.v[head->run];
	bool more = true;
	size_t nr = 0;

	until = MIN(until, first_until(sc));
	do {
		__builtin_prefetch(sc->stream->base + run->now.off + PREFETCH_AHEAD);
		__builtin_prefetch(sc->stream->base + run->now.off + PREFETCH_AHEAD + 64);
		rec_at(c, sc, run->now.off, &ret[nr]);
		ret_time[nr] = run->time;
		more = run_advance(c, sc, run, &ret[nr++]);
	} while (nr < max && more && run->time < until);
	if (more)
		head->time = run->time;
	else
		*head = sc->heap.v[--sc->heap.nr];
	if (sc->heap.nr > 1)
		sift_down(sc, 0);
	return nr;
}

static inline size_t return_timed(struct ordered_reader *c, struct stream_cursor *sc, struct rec *ret,
				  u64 *ret_time, size_t max, u64 until)
{
	return sc->heap.nr ? return_run(c, sc, ret, ret_time, max, until) :
			     return_sorted(c, sc, ret, ret_time, max, until);
}

/*
 * the stream whose next record is the oldest; NULL at the end. *ret_time: of that record; *ret_other: it
 * remains the oldest up to this time
 */
static struct stream_cursor *oldest(struct ordered_reader *c, u64 *ret_time, u64 *ret_other)
{
	struct stream_cursor *best = NULL;
	u64 best_time = 0;

	*ret_other = UINT64_MAX;
	for (u32 i = 0; i < c->nr; i++) {
		struct stream_cursor *sc = &c->stream[i];
		u64 time;

		if (sc->untimed_pos == sc->untimed.nr && !has_timed(sc) && !fill(c, sc))
			continue;
		time = sc->untimed_pos < sc->untimed.nr ? 0 : first_time(sc);
		if (!best || time < best_time) {
			*ret_other = best ? best_time : UINT64_MAX;
			best = sc;
			best_time = time;
		} else {
			*ret_other = MIN(*ret_other, time);
		}
	}
	*ret_time = best_time;
	return best;
}

/* false: the next record is of sc, at this time. Of records with equal times, the trace has the last ones */
static bool trace_is_next(const struct ordered_reader *c, const struct stream_cursor *sc, u64 time,
			  u64 *ret_time)
{
	return c->trace && trace_reader_time(c->trace, ret_time) && (!sc || *ret_time < time);
}

size_t ordered_reader_next(struct ordered_reader *c, struct rec *ret, u64 *ret_time, size_t max)
{
	u64 other, time, of_trace;
	size_t nr = 0, more;

	if (c->trace)
		trace_reader_begin(c->trace);
	while (nr < max) {
		struct stream_cursor *sc = oldest(c, &time, &other);

		of_trace = UINT64_MAX;
		if (trace_is_next(c, sc, time, &of_trace)) {
			more = trace_reader_take(c->trace, ret + nr, ret_time + nr, max - nr,
						 sc ? time : UINT64_MAX);
			nr += more;
			if (!more)
				break;
			continue;
		}
		if (!sc)
			break;
		if (sc->untimed_pos < sc->untimed.nr)
			nr += return_untimed(c, sc, ret + nr, ret_time + nr, max - nr);
		else
			nr += return_timed(c, sc, ret + nr, ret_time + nr, max - nr,
					   c->trace ? MIN(other, of_trace + !!(of_trace + 1)) : other);
		/* the next records may be far from these, whose pages are released before long */
		if (c->left_out && sc->untimed_pos == sc->untimed.nr && !has_timed(sc))
			break;
	}
	return nr;
}
