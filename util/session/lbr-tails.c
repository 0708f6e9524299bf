/* LBR tails: calls are nodes of a tree that all samples share; a tail is the node that it begins with. */
#include "lbr-tails.h"
#include "../event/record-type.h"

#include <stdlib.h>
#include <string.h>
#include "../base/hash.h"
#include "../base/sort.h"
#include "ordered-reader.h"

#define MAX_CALLS 2048u		/* of one chain */
#define MAX_LIVE_CALLS (1u << 20)
#define NO_HW_IDX UINT64_MAX

/* roots: of calls that are complete, and of those whose outer part is not known */
enum { COMPLETE, CUT, NR_ROOTS };

struct call {
	u64 from, to;
	u32 outer;	/* the call outside of it, or a root */
	u32 depth;
};

struct tail {
	struct when when;	/* of the sample */
	u32 call;
};

struct lbr_tails {
	struct { VEC(struct call); } call;
	struct hidx call_idx;
	struct { VEC(struct tail); } tail;
	struct hidx tail_idx;
	struct stitch *live;	/* continues with the next samples; NULL: all were there */
};

/* the last sample of a thread */
struct last {
	u64 thread;	/* its address; in a live session, which forgets threads, the tid */
	u32 call;		/* the newest */
	u64 nr_recorded;
	u64 hw_idx;		/* register of the newest */
};

struct stitch {
	struct lbr_tails *t;
	bool by_tid;
	struct { VEC(struct last); } last;
	struct hidx idx;
	u32 before[MAX_CALLS];	/* calls of the sample before, newest first */
};

static u32 intern_call(struct lbr_tails *t, const struct branch_entry *e, u32 outer)
{
	u64 hash = hash_mix(hash_mix(hash_u64(e->from), e->to), outer);

	return vec_find_or_add_id(&t->call, &t->call_idx, hash, c, c->from == e->from && c->to == e->to &&
				  c->outer == outer,
				  (struct call){ e->from, e->to, outer, t->call.v[outer].depth + 1 });
}

static struct last *last_of(struct stitch *st, u64 thread)
{
	return vec_find_or_add(&st->last, &st->idx, hash_u64(thread), l, l->thread == thread,
			       (struct last){ .thread = thread, .call = CUT });
}

/* whether the oldest call of s can be call k of the sample before */
static bool fits(const struct stitch *st, const struct last *l, const struct sample *s, u64 k)
{
	u64 oldest = s->nr_branches - 1, equal = 0;
	bool numbered = l->hw_idx != NO_HW_IDX && s->branch_hw_idx != NO_HW_IDX && k < l->nr_recorded;

	if (numbered && (l->hw_idx - k - (s->branch_hw_idx - oldest)) % s->nr_branches)
		return false;
	for (; equal <= k && equal <= oldest; equal++) {
		const struct call *c = &st->t->call.v[st->before[k - equal]];

		if (c->from != s->branches[oldest - equal].from || c->to != s->branches[oldest - equal].to)
			break;
	}
	return equal >= (numbered ? 1 : 2);
}

/* what is outside of the oldest call of a full sample; CUT: not known */
static u32 find_tail(struct stitch *st, const struct last *l, const struct sample *s)
{
	u64 nr = 0, found = MAX_CALLS;
	u32 tail;

	for (u32 c = l->call; c >= NR_ROOTS && nr < MAX_CALLS; c = st->t->call.v[c].outer)
		st->before[nr++] = c;
	for (u64 k = 0; k < nr; k++) {
		if (!fits(st, l, s, k))
			continue;
		if (found != MAX_CALLS)
			return CUT;
		found = k;
	}
	if (found == MAX_CALLS)
		return CUT;
	tail = st->t->call.v[st->before[found]].outer;
	return st->t->call.v[tail].depth + s->nr_branches <= MAX_CALLS ? tail : CUT;
}

static void stitch_sample(struct stitch *st, const struct sample *s, const struct sample_ctx *ctx)
{
	struct lbr_tails *t = st->t;
	u64 thread = st->by_tid ? (u32)s->tid : (uintptr_t)ctx->thread;
	struct last *l = last_of(st, thread);
	u32 call = lbr_is_full(s) ? find_tail(st, l, s) : COMPLETE;

	if (lbr_is_full(s) && call != CUT) {
		hidx_insert(&t->tail_idx, hash_mix(ctx->when.off, ctx->when.time), t->tail.nr);
		vec_push(&t->tail, ((struct tail){ ctx->when, call }));
	}
	for (u64 i = MIN(s->nr_branches, (u64)MAX_CALLS); i > 0; i--)
		call = intern_call(t, &s->branches[i - 1], call);
	*l = (struct last){ thread, call, s->nr_branches, s->branch_hw_idx };
}

/* a record in its turn by time */
static void stitch_record(struct stitch *st, const struct session *s, const struct rec *rec,
			  struct arena *scratch)
{
	struct sample sample;
	struct sample_ctx ctx;

	if (rec->type != REC_SAMPLE || sample_decode(s->data->plan, rec, &sample, scratch) ||
	    !lbr_possible(&sample))
		return;
	ctx = session_sample_ctx(s, &sample, rec);
	if (ctx.thread)
		stitch_sample(st, &sample, &ctx);
}

static void stitch_all(struct stitch *st, const struct session *s)
{
	struct ordered_reader *reader = ordered_reader_open(s);
	struct arena scratch = { 0 };
	struct rec rec[64];
	u64 time[ARRAY_SIZE(rec)];
	size_t nr;

	while ((nr = ordered_reader_next(reader, rec, time, ARRAY_SIZE(rec))) > 0) {
		for (size_t i = 0; i < nr; i++)
			stitch_record(st, s, &rec[i], &scratch);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	ordered_reader_close(reader);
}

static void stitch_free(struct stitch *st)
{
	if (!st)
		return;
	vec_release(&st->last);
	hidx_release(&st->idx);
	free(st);
}

static struct stitch *stitch_new(struct lbr_tails *t)
{
	struct stitch *st = xcalloc(1, sizeof(*st));

	for (int i = 0; i < NR_ROOTS; i++)
		vec_push(&t->call, (struct call){ 0 });
	st->t = t;
	return st;
}

struct lbr_tails *lbr_tails_new(const struct session *s)
{
	struct lbr_tails *t = xcalloc(1, sizeof(*t));
	struct stitch *st = stitch_new(t);

	stitch_all(st, s);
	stitch_free(st);
	return t;
}

struct lbr_tails *lbr_tails_new_live(void)
{
	struct lbr_tails *t = xcalloc(1, sizeof(*t));

	t->live = stitch_new(t);
	t->live->by_tid = true;
	return t;
}

static void drop_tails(struct lbr_tails *t)
{
	t->tail.nr = 0;
	hidx_release(&t->tail_idx);
}

/* calls pile up: what is known of threads so far is given up */
static void forget_all(struct lbr_tails *t)
{
	stitch_free(t->live);
	vec_release(&t->call);
	hidx_release(&t->call_idx);
	t->live = stitch_new(t);
	t->live->by_tid = true;
}

void lbr_tails_more(struct lbr_tails *t, const struct session *s)
{
	const struct data_stream *st = &s->data->stream.v[0];
	struct diag ignored = { 0 };	/* who counts the samples reports them */
	struct rec_walk walk = rec_walk_of(s->data, st, st->start, st->end, &ignored);
	struct { VEC(struct rec); } rec = { 0 };
	struct sort_pair *order;
	struct arena scratch = { 0 };
	struct rec r;

	drop_tails(t);
	if (t->call.nr > MAX_LIVE_CALLS)
		forget_all(t);
	while (rec_next(&walk, &r))
		if (r.type == REC_SAMPLE)
			vec_push(&rec, r);
	order = xreallocarray(NULL, 2 * rec.nr + 1, sizeof(*order));
	for (size_t i = 0; i < rec.nr; i++) {
		order[i] = (struct sort_pair){ 0, i };
		sample_time(s->data->plan, &rec.v[i], &order[i].key);
	}
	sort_pairs(order, order + rec.nr, rec.nr);
	for (size_t i = 0; i < rec.nr; i++) {
		stitch_record(t->live, s, &rec.v[order[i].val], &scratch);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	vec_release(&rec);
	free(order);
}

void lbr_tails_free(struct lbr_tails *t)
{
	if (!t)
		return;
	stitch_free(t->live);
	vec_release(&t->call);
	vec_release(&t->tail);
	hidx_release(&t->call_idx);
	hidx_release(&t->tail_idx);
	free(t);
}

/* CUT: it has none */
static u32 tail_of(const struct lbr_tails *t, struct when when)
{
	u32 id;

	HIDX_FOREACH(&t->tail_idx, hash_mix(when.off, when.time), id)
		if (t->tail.v[id].when.off == when.off && t->tail.v[id].when.time == when.time)
			return t->tail.v[id].call;
	return CUT;
}

bool lbr_append_tail(const struct lbr_tails *t, struct when when, struct sample *s, struct arena *scratch)
{
	u32 call = t && lbr_is_full(s) ? tail_of(t, when) : CUT;
	u64 nr = s->nr_branches;
	struct branch_entry *all;

	if (call == CUT)
		return !lbr_is_full(s);
	all = arena_alloc(scratch, (nr + t->call.v[call].depth) * sizeof(*all));
	memcpy(all, s->branches, nr * sizeof(*all));
	for (; call >= NR_ROOTS; call = t->call.v[call].outer)
		all[nr++] = (struct branch_entry){ .from = t->call.v[call].from, .to = t->call.v[call].to };
	s->branches = all;
	s->nr_branches = nr;
	return call == COMPLETE;
}
