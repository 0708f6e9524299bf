/*
 * Feed: a session without a file, for commands that observe and count at the same time. The observer hands
 * over what the kernel wrote. From time to time it is taken: the machine is brought up to date, and the
 * samples become chunks to be counted, until they are dropped.
 *
 *	session_open_fed(&s, &opts, err);
 *	session_feed(s, header);	for each record of a pass over all rings
 *	session_feed_round(s);		the pass is over
 *	session_feed_take(s, false);	chunks: what hist_collect() counts
 *	session_feed_drop(s);		it has been counted
 *
 * A sample is given out when all side-band records before it must have come: those that are not newer than
 * the newest record of the pass before the last one. Two passes in a row thus give out nearly all. Memory
 * holds the samples that are not dropped, and the machine: tasks that have ended and maps that were covered
 * are forgotten some takes later.
 */
#ifndef PERF_SESSION_FEED_H
#define PERF_SESSION_FEED_H

#include "session.h"

/* evset with ids, and feat, are the caller's and outlive the session; jobs: threads of its pool */
struct session_fed_opts {
	struct evset *set;
	const struct features *feat;
	struct sym_opts sym;
	unsigned int jobs;
	bool stitch_lbr;		/* lbr-tails.h */
};

/* its events sample the time */
void session_open_fed(struct session **ret, const struct session_fed_opts *o);
/* one record, copied where it is a sample; side-band records are kept until a take */
void session_feed(struct session *s, const struct rec_header *h);
/* whole side-band records in sequence, without times: what exists at the time of the last take */
void session_feed_all(struct session *s, const struct strbuf *records);
void session_feed_round(struct session *s);
/* bytes of samples that wait */
u64 session_fed_bytes(const struct session *s);
/* all: no record follows, so none has to wait */
void session_feed_take(struct session *s, bool all);
void session_feed_drop(struct session *s);
/*
 * For callers that keep samples themselves, in the order of time, and feed side-band records only: brings the
 * machine up to date until that time. Earlier answers of the machine are no longer valid; only later times
 * may be asked for
 */
void session_feed_apply(struct session *s, u64 until);
/* what such callers have fed, samples that they made, becomes chunks until session_feed_drop() */
void session_feed_chunks(struct session *s);
/* side-band that is newer waits */
bool session_feed_waits(const struct session *s);

#endif
