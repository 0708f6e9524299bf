/* Wall-feed: see wall-feed.h. */
#include "wall-feed.h"
#include "inject-private.h"
#include "../base/sort.h"
#include "../event/record-type.h"
#include "../session/feed.h"

#include <stdlib.h>
#include <string.h>

struct wall_feed {
	struct wall_feed_opts o;
	struct inject_opts opts;
	struct inject in;
	struct strbuf bytes;				/* records that wait */
	struct { VEC(struct sort_pair); } waiting;	/* time, offset in bytes */
	struct { VEC(struct sort_pair); } scratch;
	struct inject_batch batch;			/* records that are handled together */
	struct wall_totals before;			/* at the take before */
};

struct wall_feed *wall_feed_new(const struct wall_feed_opts *o, struct err *err)
{
	struct wall_feed *f = xcalloc(1, sizeof(*f));

	f->o = *o;
	f->opts.wall = o->states;
	f->in = (struct inject){ .session = o->session, .opts = &f->opts, .set = o->session->data->evset,
				 .live = &f->o };
	if (!wall_time_start(&f->in, err))
		return f;
	wall_feed_free(f);
	return NULL;
}

static bool is_of_use(u32 type)
{
	static const u32 types[] = {
		REC_SAMPLE, REC_COMM, REC_FORK, REC_EXIT, REC_SWITCH, REC_SWITCH_CPU_WIDE, REC_LOST,
		REC_LOST_SAMPLES,
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i] == type)
			return true;
	return false;
}

static struct rec rec_of(const struct rec_header *h)
{
	return (struct rec){ .p = (const u8 *)h, .size = h->size, .type = h->type, .misc = h->misc };
}

static void take_batch(struct wall_feed *f)
{
	wall_time_prepare(&f->in, &f->batch);
	f->in.batch = &f->batch;
	for (f->in.at = 0; f->in.at < f->batch.nr; f->in.at++)
		wall_time_record(&f->in, &f->batch.rec[f->in.at], f->batch.time[f->in.at]);
	f->batch.nr = 0;
}

/* the record stays where it is until take_batch() */
static void add_to_batch(struct wall_feed *f, const struct rec *r, u64 time)
{
	f->batch.rec[f->batch.nr] = *r;
	f->batch.time[f->batch.nr++] = time;
	if (f->batch.nr == INJECT_BATCH)
		take_batch(f);
}

void wall_feed_record(struct wall_feed *f, const struct rec_header *h)
{
	struct rec r = rec_of(h);
	u64 time;

	if (h->type != REC_SAMPLE)
		session_feed(f->o.session, h);
	if (!is_of_use(h->type) || !sample_time(f->o.session->data->plan, &r, &time))
		return;
	vec_push(&f->waiting, (struct sort_pair){ time, f->bytes.len });
	strbuf_add(&f->bytes, h, h->size);
}

void wall_feed_state(struct wall_feed *f, const struct strbuf *records)
{
	const struct rec_header *h;

	session_feed_all(f->o.session, records);
	for (size_t off = 0; off < records->len; off += h->size) {
		struct rec r;

		h = (const void *)(records->buf + off);
		r = rec_of(h);
		if (is_of_use(h->type))
			add_to_batch(f, &r, 0);
	}
	take_batch(f);
}

u64 wall_feed_bytes(const struct wall_feed *f)
{
	return f->bytes.len;
}

void wall_feed_samples(const struct wall_feed_opts *o, struct strbuf *records)
{
	for (size_t off = 0; off < records->len;
	     off += ((const struct rec_header *)(records->buf + off))->size)
		session_feed(o->session, (const void *)(records->buf + off));
	strbuf_reset(records);
}

/* records that are too new move to the beginning */
static void keep_rest(struct wall_feed *f, size_t done)
{
	struct strbuf rest = STRBUF_INIT;
	size_t nr = 0;

	for (size_t i = done; i < f->waiting.nr; i++, nr++) {
		const struct rec_header *h = (const void *)(f->bytes.buf + f->waiting.v[i].val);

		f->waiting.v[nr] = (struct sort_pair){ f->waiting.v[i].key, rest.len };
		strbuf_add(&rest, h, h->size);
	}
	f->waiting.nr = nr;
	strbuf_release(&f->bytes);
	f->bytes = rest;
}

static void take_waiting(struct wall_feed *f, u64 until)
{
	size_t i = 0;

	f->scratch.nr = 0;
	while (f->scratch.nr < f->waiting.nr)
		vec_add(&f->scratch);
	if (f->waiting.nr)
		sort_pairs(f->waiting.v, f->scratch.v, f->waiting.nr);
	for (; i < f->waiting.nr && f->waiting.v[i].key <= until; i++) {
		struct rec r = rec_of((const void *)(f->bytes.buf + f->waiting.v[i].val));

		add_to_batch(f, &r, f->waiting.v[i].key);
	}
	take_batch(f);
	keep_rest(f, i);
}

struct wall_totals wall_feed_take(struct wall_feed *f, u64 until, bool last)
{
	struct wall_totals now, ret;

	session_feed_apply(f->o.session, last ? UINT64_MAX : until);
	wall_time_renew(&f->in);
	take_waiting(f, last ? UINT64_MAX : until);
	ret = now = wall_time_flush(&f->in, until);
	for (u32 s = 0; s < WALL_NR_STATES; s++)
		ret.ns[s] -= f->before.ns[s];
	f->before = now;
	session_feed_chunks(f->o.session);
	return ret;
}

void wall_feed_free(struct wall_feed *f)
{
	if (!f)
		return;
	wall_time_end(&f->in);
	strbuf_release(&f->bytes);
	vec_release(&f->waiting);
	vec_release(&f->scratch);
	free(f);
}
