/* The contents of a session. Private to util/session. */
#ifndef PERF_SESSION_PRIVATE_H
#define PERF_SESSION_PRIVATE_H

#include "session.h"

#define SESSION_CHUNK_SIZE (512u << 10)
#define JOBS_MAX 1024u	/* maximum number of threads, whatever -j says */
/* with less data than this the kernel's symbols are not read in the background */
#define EARLY_LIST_MIN (8u << 20)
#define SESSION_WINDOW (4u << 20)	/* this much of a file is resident while it is walked */

struct session_live {
	u64 scanned;		/* offset in the stream */
	struct sideband pending;	/* not applied yet: newer than the records that may be returned */
	u64 max_time, limit;	/* with the same meaning as in the ordered reader */
	u64 flushed;		/* records up to this time may be returned */
	u64 taken, forget_time;	/* of a fed session: flushed at its last take, and at the take before it */
	struct strbuf later;	/* of a fed session: samples that wait for the next round */
};
struct session_live *session_live_new(const struct session *s);
void session_live_free(struct session_live *l);
/* applies side-band that is not newer than the records that may be returned */
void session_live_apply(struct session *s);
/* counts a record; a side-band record goes into *sb */
void session_scan_record(struct session *s, const struct rec *r, struct sideband *sb);

/* some event samples the time */
bool session_set_has_time(const struct evset *set);
/* what the session knows of times before it has read a record */
void session_scan_init(struct session *s);
/* one pass over the headers of all records: counts, times, chunks; side-band records into *sb */
void session_scan(struct session *s, struct sideband *sb, u64 chunk_size);

/* the chunks of records that were made after the scan */
void session_scan_made(struct session *s, const struct data_stream *st, u64 chunk_size);

/* a pass over the records of a stream */
struct session_pass {
	struct session *s;
	const struct data_stream *stream;
	struct sideband *sb;
	u64 chunk, chunk_size;		/* where the last one begins, and how large they are */
};
void session_pass_record(struct session_pass *p, const struct rec *r);
/* the records from off on */
void session_pass_rest(struct session_pass *p, u64 off);

/* a scan that follows an ordered reader */
struct session_late {
	struct session_pass pass;
	struct sideband sb;
	u64 off;			/* where it continues */
	/* this job may be reading, in another thread; NULL: none */
	struct pool_job *reader_job;
	struct pool *reader_pool;
};
static inline void session_late_record(struct session_late *l, const struct rec_walk *walk,
				       const struct rec *r)
{
	session_pass_record(&l->pass, r);
	l->off = walk->off;
}

/* the same for a sample of a file with times, whose time is known */
static inline void session_late_sample(struct session_late *l, const struct rec_walk *walk,
				       const struct rec *r, u64 time)
{
	struct session *s = l->pass.s;

	if (unlikely(r->off - l->pass.chunk >= l->pass.chunk_size)) {
		session_late_record(l, walk, r);
		return;
	}
	s->nr_records[ABI_RECORD_SAMPLE]++;
	s->nr_samples++;
	s->first_time = MIN(s->first_time, time);
	s->last_time = MAX(s->last_time, time);
	l->off = walk->off;
}

/*
 * A window of pages that moves over a stream: the pages ahead are fetched at once, the pages that were read
 * are released. Call window_at() with each record's offset.
 */
struct window {
	const struct data_stream *stream;
	u64 start, end;
};

void window_move(struct window *w, u64 off, u64 keep_from);

static inline void window_at(struct window *w, u64 off)
{
	if (unlikely(off >= w->end))
		window_move(w, off, off);
}

#endif
