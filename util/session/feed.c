/* Feed: see feed.h. */
#include "feed.h"
#include "lbr-tails.h"
#include "session-private.h"
#include "../base/cursor.h"
#include "../data/feed.h"
#include "../event/record-type.h"

#include <stdlib.h>

void session_open_fed(struct session **ret, const struct session_fed_opts *o)
{
	struct session *s = xcalloc(1, sizeof(*s));
	struct sideband nothing = { .has_time = true };
	struct sym_opts sym = o->sym;

	s->data = data_feed_new(o->set, o->feat);
	s->pool = pool_new(o->jobs);
	s->has_time = session_set_has_time(o->set);
	s->first_time = UINT64_MAX;
	nothing.has_time = s->has_time;
	s->machine = machine_build(&nothing, &(struct machine_opts){ .evset = o->set, .plan = s->data->plan,
				   .feat = &s->data->feat, .is_local = true, .grows = true }, &s->diag);
	s->live = session_live_new(s);
	if (o->stitch_lbr)
		s->lbr_tails = lbr_tails_new_live();
	sym.is_local = true;
	s->symbols = symbols_new(machine_dsos(s->machine), &sym);
	*ret = s;
}

void session_feed(struct session *s, const struct rec_header *h)
{
	struct session_live *l = s->live;
	struct rec r = { .p = (const u8 *)h, .size = h->size, .type = h->type, .misc = h->misc,
			 .off = s->data->stream.v[0].end };
	u64 time;

	session_scan_record(s, &r, &l->pending);
	if (sample_time(s->data->plan, &r, &time) && time != UINT64_MAX)
		l->max_time = MAX(l->max_time, time);
	if (h->type == REC_SAMPLE)
		data_feed(s->data, h, h->size);
}

void session_feed_all(struct session *s, const struct strbuf *records)
{
	struct session_live *l = s->live;
	size_t nr = l->pending.recs.nr;

	for (size_t off = 0; off < records->len;
	     off += ((const struct rec_header *)(records->buf + off))->size)
		session_feed(s, (const void *)(records->buf + off));
	for (; nr < l->pending.recs.nr; nr++)
		l->pending.times.v[nr] = l->taken;
}

void session_feed_round(struct session *s)
{
	struct session_live *l = s->live;

	l->flushed = l->limit;
	l->limit = l->max_time;
}

u64 session_fed_bytes(const struct session *s)
{
	return s->data->stream.v[0].end;
}

/* samples that are too new go to the later ones; here a record of no type stands in their place */
static void put_off(struct session *s)
{
	struct data_stream *st = &s->data->stream.v[0];
	struct rec_walk walk = rec_walk_of(s->data, st, st->start, st->end, &s->diag);
	struct rec r;
	u64 time;

	while (rec_next(&walk, &r)) {
		if (!sample_time(s->data->plan, &r, &time) || time <= s->live->flushed)
			continue;
		strbuf_add(&s->live->later, r.p, r.size);
		memset((u8 *)r.p + offsetof(struct rec_header, type), 0, sizeof(u32));
	}
}

void session_feed_chunks(struct session *s)
{
	struct data_stream *st = &s->data->stream.v[0];

	s->chunks.nr = 0;
	if (st->end)
		vec_push(&s->chunks, (struct chunk){ st, st->start, st->end });
}

void session_feed_take(struct session *s, bool all)
{
	struct session_live *l = s->live;

	if (all)
		l->flushed = UINT64_MAX;
	put_off(s);
	/* what ended before the take before the last one: a task runs for a while after its EXIT record */
	machine_compact(s->machine, l->forget_time);
	l->forget_time = l->taken;
	l->taken = l->flushed;
	session_live_apply(s);
	session_feed_chunks(s);
	if (s->lbr_tails)
		lbr_tails_more(s->lbr_tails, s);
}

void session_feed_drop(struct session *s)
{
	struct strbuf later = s->live->later;

	s->chunks.nr = 0;
	data_feed_drop(s->data);
	if (later.len)
		data_feed(s->data, later.buf, later.len);
	s->live->later = (struct strbuf)STRBUF_INIT;
	strbuf_release(&later);
}

void session_feed_apply(struct session *s, u64 until)
{
	struct session_live *l = s->live;

	machine_compact(s->machine, l->forget_time);
	l->forget_time = l->taken;
	l->taken = l->flushed = until;
	session_live_apply(s);
}

bool session_feed_waits(const struct session *s)
{
	return s->live->pending.recs.nr != 0;
}
