/* Live chains: see live-chains.h. */
#include "live-chains.h"
#include "../event/record-type.h"

#include <stdlib.h>
#include "../base/pool.h"
#include "plain-chain.h"

#define SLICE 64		/* samples that one thread converts at a time */

struct worker {
	struct resolver resolver;
	struct arena scratch;
	u64 dropped;
} CACHE_ALIGNED;

struct live_chains {
	struct session *session;
	struct worker *worker;		/* per thread of the pool */
	struct { VEC(struct rec); } rec;	/* samples that are being converted */
	struct { VEC(struct strbuf); } slice;	/* what became of them */
};

struct live_chains *live_chains_new(struct evset *set, const struct features *feat, unsigned int jobs)
{
	struct live_chains *l = xcalloc(1, sizeof(*l));
	struct session_fed_opts o = { .set = set, .feat = feat, .sym = SYM_OPTS_INIT, .jobs = jobs };

	session_open_fed(&l->session, &o);
	l->worker = xcalloc_aligned(pool_nr_workers(l->session->pool), sizeof(*l->worker));
	for (unsigned int i = 0; i < pool_nr_workers(l->session->pool); i++)
		resolver_init(&l->worker[i].resolver, l->session, &l->worker[i].scratch);
	return l;
}

void live_chains_free(struct live_chains *l)
{
	if (!l)
		return;
	for (unsigned int i = 0; i < pool_nr_workers(l->session->pool); i++) {
		resolver_release(&l->worker[i].resolver);
		arena_release(&l->worker[i].scratch);
	}
	vec_foreach(&l->slice, text)
		strbuf_release(text);
	vec_release(&l->slice);
	vec_release(&l->rec);
	free(l->worker);
	session_close(l->session);
	free(l);
}

/* records that tools write are of no interest to the machine */
void live_chains_state(struct live_chains *l, const struct strbuf *records)
{
	struct strbuf kernel = STRBUF_INIT;
	const struct rec_header *h;

	for (size_t off = 0; off < records->len; off += h->size) {
		h = (const void *)(records->buf + off);
		if (h->type < REC_USER_START)
			strbuf_add(&kernel, h, h->size);
	}
	session_feed_all(l->session, &kernel);
	strbuf_release(&kernel);
}

void live_chains_record(struct live_chains *l, const struct rec_header *h)
{
	session_feed(l->session, h);
}

static void convert(struct worker *w, struct session *s, const struct rec *rec, struct strbuf *out)
{
	struct sample_ctx ctx;
	struct sample sample;

	if (sample_decode(s->data->plan, rec, &sample, &w->scratch)) {
		w->dropped++;
		return;
	}
	ctx = locator_sample_ctx(&w->resolver.locator, s, &sample, rec);
	if (sample_plain_chain(&w->resolver, rec, &sample, &ctx, out))
		w->dropped++;
	arena_reset(&w->scratch);
}

static void convert_slice(void *arg, unsigned int worker, size_t i)
{
	struct live_chains *l = arg;
	size_t end = MIN((i + 1) * SLICE, l->rec.nr);

	strbuf_reset(&l->slice.v[i]);
	for (size_t n = i * SLICE; n < end; n++)
		convert(&l->worker[worker], l->session, &l->rec.v[n], &l->slice.v[i]);
}

static void gather_samples(struct live_chains *l)
{
	struct session *s = l->session;

	l->rec.nr = 0;
	vec_foreach(&s->chunks, c) {
		struct rec_walk walk = rec_walk_of(s->data, c->stream, c->off, c->end, &s->diag);
		struct rec rec;

		while (rec_next(&walk, &rec) > 0)
			if (rec.type == REC_SAMPLE)
				vec_push(&l->rec, rec);
	}
}

void live_chains_pass(struct live_chains *l, bool all, struct strbuf *out)
{
	struct session *s = l->session;
	size_t nr;

	session_feed_round(s);
	session_feed_take(s, all);
	/* what was found in the machine is void; the rules of files are not */
	for (unsigned int i = 0; i < pool_nr_workers(s->pool); i++) {
		locator_release(&l->worker[i].resolver.locator);
		locator_init(&l->worker[i].resolver.locator, s->machine);
	}
	gather_samples(l);
	nr = (l->rec.nr + SLICE - 1) / SLICE;
	while (l->slice.nr < nr)
		vec_push(&l->slice, (struct strbuf)STRBUF_INIT);
	pool_run(s->pool, nr, convert_slice, l);
	for (size_t i = 0; i < nr; i++)
		strbuf_add(out, l->slice.v[i].buf, l->slice.v[i].len);
	session_feed_drop(s);
}

u64 live_chains_dropped(const struct live_chains *l)
{
	u64 nr = 0;

	for (unsigned int i = 0; i < pool_nr_workers(l->session->pool); i++)
		nr += l->worker[i].dropped;
	return nr;
}
