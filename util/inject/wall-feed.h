/*
 * Wall-feed: what wall_time does to a file, for a live session (session/feed.h): records of switches,
 * wake-ups and samples become slices of wall time, samples of the event wall:slice, which are fed to the
 * session to be counted. At each take all threads give their time until then, so that the sum of the slices
 * is the elapsed time of the threads.
 *
 *	wall_feed_record(f, header);	each record of a pass over all rings; side-band goes on to the session
 *	wall_feed_take(f, until, false);	slices until that time are chunks of the session
 *	session_feed_drop(s);		they have been counted
 */
#ifndef PERF_INJECT_WALL_FEED_H
#define PERF_INJECT_WALL_FEED_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../data/features.h"
#include "../event/event.h"
#include "../wall/wall.h"

struct session;
struct rec_header;
struct wall_feed;
/* all of it outlives the feed */
struct wall_feed_opts {
	struct session *session;
	/* the event of slices (wall_event_set()), which is in the session's set */
	const struct event *out;
	u64 id;				/* its id */
	const struct feat_blob *formats;	/* of the tracepoints that say when threads run */
	u32 states;			/* those of which slices are fed: bits 1 << enum wall_state */
};

/* NULL with err: the events do not say when threads run */
struct wall_feed *wall_feed_new(const struct wall_feed_opts *o, struct err *err);
/* one record, copied if it is of use */
void wall_feed_record(struct wall_feed *f, const struct rec_header *h);
/* what existed before the first record: whole side-band records */
void wall_feed_state(struct wall_feed *f, const struct strbuf *records);
u64 wall_feed_bytes(const struct wall_feed *f);
/*
 * all records until that time (ns of the clock of the events) have come, or last: none will come after them.
 * Applies side-band of the session, too. Returns what the slices of this take sum up to; nr_threads, nr_waits
 * and what was lost are those since the start
 */
struct wall_totals wall_feed_take(struct wall_feed *f, u64 until, bool last);
void wall_feed_free(struct wall_feed *f);

/* for wall-time.c: the slices that were made; empties it */
void wall_feed_samples(const struct wall_feed_opts *o, struct strbuf *records);

#endif
