/* Deferred: see deferred.h. */
#include "deferred.h"
#include "../event/record.h"

#include <stdlib.h>
#include "../base/cursor.h"
#include "../event/callchain.h"
#include "../session/walk.h"
#include "../base/search.h"

struct late_chain {
	u64 cookie, time;
	u32 tid;
	u32 first, nr;		/* of ip[] */
};

struct deferred {
	struct { VEC(struct late_chain); } chain;	/* by tid, cookie, time */
	struct { VEC(u64); } ip;
};

bool evset_defers(const struct evset *set)
{
	for (size_t i = 0; i < set->ev.nr; i++)
		if (set->ev.v[i]->attr.flags & ATTR_DEFER_CALLCHAIN)
			return true;
	return false;
}

const u64 *deferred_chain(const struct rec *rec, u64 *ret_cookie, u64 *ret_nr, struct arena *scratch)
{
	const struct rec_deferred_view *d;
	struct record_view v;
	u64 *chain;

	if (record_decode(rec, &v) < 0 || v.deferred.chain.nr < v.deferred.nr)
		return NULL;
	d = &v.deferred;
	*ret_cookie = d->cookie;
	*ret_nr = d->nr;
	chain = arena_alloc(scratch, d->nr * sizeof(*chain));
	for (u64 i = 0; i < d->nr; i++)
		chain[i] = rec_row_u64(&d->chain, i, 0);
	return chain;
}

static int cmp_key(const struct late_chain *a, u32 tid, u64 cookie, u64 time)
{
	if (a->tid != tid)
		return a->tid < tid ? -1 : 1;
	if (a->cookie != cookie)
		return a->cookie < cookie ? -1 : 1;
	return a->time < time ? -1 : a->time > time;
}

static int cmp_chains(const void *pa, const void *pb)
{
	const struct late_chain *b = pb;

	return cmp_key(pa, b->tid, b->cookie, b->time);
}

static void add_chain(struct deferred *d, const struct session *s, const struct rec *rec,
		      struct arena *scratch)
{
	struct sample id;
	u64 cookie, nr;
	const u64 *ip;

	if (sample_decode_id(s->data->plan, rec, &id))
		return;
	ip = deferred_chain(rec, &cookie, &nr, scratch);
	if (!ip)
		return;
	vec_push(&d->chain, (struct late_chain){ .cookie = cookie, .time = s->has_time ? id.time : rec->off,
						 .tid = id.tid, .first = d->ip.nr, .nr = nr });
	for (u64 i = 0; i < nr; i++)
		vec_push(&d->ip, ip[i]);
}

struct deferred_finder {
	const struct session *s;
	struct deferred *of;	/* by chunk, not sorted */
};

static void find_chain(void *ctx, size_t i, const struct rec *rec, struct arena *scratch)
{
	const struct deferred_finder *f = ctx;

	if (rec->type == REC_CALLCHAIN_DEFERRED)
		add_chain(&f->of[i], f->s, rec, scratch);
}

/* adds the chains of a chunk */
static void join(struct deferred *d, struct deferred *part)
{
	u32 before = d->ip.nr;

	vec_foreach(&part->chain, c) {
		c->first += before;
		vec_push(&d->chain, *c);
	}
	vec_foreach(&part->ip, ip)
		vec_push(&d->ip, *ip);
	vec_release(&part->chain);
	vec_release(&part->ip);
}

struct deferred *deferred_new(const struct session *s)
{
	struct deferred_finder f = { .s = s };
	struct deferred *d;

	if (!evset_defers(s->data->evset))
		return NULL;
	d = xcalloc(1, sizeof(*d));
	f.of = xcalloc(s->chunks.nr + 1, sizeof(*f.of));
	session_walk(s, "reading deferred call chains", find_chain, &f);
	for (size_t i = 0; i < s->chunks.nr; i++)
		join(d, &f.of[i]);
	free(f.of);
	if (d->chain.nr)
		qsort(d->chain.v, d->chain.nr, sizeof(*d->chain.v), cmp_chains);
	return d;
}

void deferred_free(struct deferred *d)
{
	if (!d)
		return;
	vec_release(&d->chain);
	vec_release(&d->ip);
	free(d);
}

/*
 * the chain, with its markers, for a sample of that time (or offset, if the file has no times); NULL: there
 * is none
 */
static const u64 *find_late(const struct deferred *d, u32 tid, u64 cookie, u64 time, u32 *ret_nr)
{
	size_t lo;
	const struct late_chain *c;

	lo = LOWER_BOUND(d ? d->chain.nr : 0, i, cmp_key(&d->chain.v[i], tid, cookie, time) < 0);
	if (!d || lo == d->chain.nr)
		return NULL;
	c = &d->chain.v[lo];
	if (c->tid != tid || c->cookie != cookie)
		return NULL;
	*ret_nr = c->nr;
	return d->ip.v + c->first;
}

void deferred_join(const struct deferred *d, const struct session *s, const struct sample_ctx *ctx,
		   struct sample *sample, struct arena *scratch)
{
	u32 nr = 0;
	const u64 *user = find_late(d, sample->tid, sample->deferred_cookie,
				    s->has_time ? sample->time : ctx->when.off, &nr);

	if (user)
		callchain_join(sample, user, nr, scratch);
}
