/*
 * Live: a session whose pipe is still being written. Rounds tell up to which time the data is complete. The
 * state is shared with feed.c.
 */
#include "session-private.h"
#include "../base/cursor.h"
#include "../data/live.h"
#include "../event/record-type.h"

#include <stdlib.h>

#define READ_AHEAD (4u << 20)	/* maximum amount that is read at once if the recorder is faster */

struct session_live *session_live_new(const struct session *s)
{
	struct session_live *l = xcalloc(1, sizeof(*l));

	l->scanned = s->data->stream.v[0].start;
	l->pending.has_time = s->has_time;
	return l;
}

void session_live_free(struct session_live *l)
{
	if (!l)
		return;
	arena_release(&l->pending.arena);
	vec_release(&l->pending.recs);
	vec_release(&l->pending.times);
	strbuf_release(&l->later);
	free(l);
}

/* scans the new data; true if records may be returned */
static bool scan_more(struct session *s)
{
	struct session_live *l = s->live;
	const struct data_stream *st = &s->data->stream.v[0];
	struct rec_walk walk = rec_walk_of(s->data, st, l->scanned, st->end, &s->diag);
	bool ready = !s->has_time && l->scanned < st->end;
	struct rec r;
	u64 time;

	while (rec_next(&walk, &r)) {
		session_scan_record(s, &r, &l->pending);
		if (s->has_time && sample_time(s->data->plan, &r, &time) && time != UINT64_MAX)
			l->max_time = MAX(l->max_time, time);
		if (r.type == REC_FINISHED_ROUND) {
			l->flushed = l->limit;
			l->limit = l->max_time;
			ready = true;
		}
	}
	l->scanned = st->end;
	if (s->data->live && s->has_time)
		return ready;
	l->flushed = UINT64_MAX;
	return true;
}

void session_live_apply(struct session *s)
{
	struct session_live *l = s->live;
	struct sideband now = { .has_time = s->has_time }, later = { .has_time = s->has_time };

	for (size_t i = 0; i < l->pending.recs.nr; i++) {
		bool is_now = l->pending.times.v[i] <= l->flushed;
		struct sideband *to = is_now ? &now : &later;
		struct rec r = l->pending.recs.v[i];

		if (!is_now)
			r.p = arena_memdup(&later.arena, r.p, r.size);
		vec_push(&to->recs, r);
		vec_push(&to->times, l->pending.times.v[i]);
	}
	if (now.recs.nr)
		machine_append(s->machine, &now, &s->diag);
	vec_release(&now.recs);
	vec_release(&now.times);
	arena_release(&l->pending.arena);
	vec_release(&l->pending.recs);
	vec_release(&l->pending.times);
	l->pending = later;
}

int session_more(struct session *s, struct err *err)
{
	struct data *d = s->data;
	bool ready;
	u64 begin;

	if (!s->live || !d->live)
		return 0;
	begin = s->live->scanned;
	ready = begin < d->stream.v[0].end && scan_more(s);
	while (d->live && (!ready || (d->stream.v[0].end - begin < READ_AHEAD && data_more_waits(d)))) {
		int ret = data_more(d, err);

		if (ret < 0)
			return ret;
		ready |= scan_more(s);
	}
	if (!d->live)
		diag_merge(&s->diag, &d->diag);
	session_live_apply(s);
	return 1;
}
