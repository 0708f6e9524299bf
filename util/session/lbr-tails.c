/* LBR tails: calls are nodes of a tree that all samples share; a tail is the node that it begins with. */
#include "lbr-tails.h"

#include <stdlib.h>
#include <string.h>
#include "../base/hash.h"

#define MAX_CALLS 2048u		/* of one chain */
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
};

/* the last sample of a thread */
struct last {
	const struct thread *thread;
	u32 call;		/* the newest */
	u64 nr_recorded;
	u64 hw_idx;		/* register of the newest */
};

struct stitch {
	struct lbr_tails *t;
	struct { VEC(struct last); } last;
	struct hidx idx;
	u32 before[MAX_CALLS];	/* calls of the sample before, newest first */
};

static u32 intern_call(struct lbr_tails *t, const struct branch_entry *e, u32 outer)
{
	u64 hash = hash_mix(hash_mix(hash_u64(e->from), e->to), outer);
	u32 id;

	HIDX_FOREACH(&t->call_idx, hash, id) {
		const struct call *c = &t->call.v[id];

		if (c->from == e->from && c->to == e->to && c->outer == outer)
			return id;
	}
	hidx_insert(&t->call_idx, hash, t->call.nr);
	vec_push(&t->call, ((struct call){ e->from, e->to, outer, t->call.v[outer].depth + 1 }));
	return t->call.nr - 1;
}

static struct last *last_of(struct stitch *st, const struct thread *thread)
{
	u64 hash = hash_u64((uintptr_t)thread);
	u32 id;

	HIDX_FOREACH(&st->idx, hash, id)
		if (st->last.v[id].thread == thread)
			return &st->last.v[id];
	hidx_insert(&st->idx, hash, st->last.nr);
	vec_push(&st->last, ((struct last){ .thread = thread, .call = CUT }));
	return &st->last.v[st->last.nr - 1];
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
	struct last *l = last_of(st, ctx->thread);
	u32 call = lbr_is_full(s) ? find_tail(st, l, s) : COMPLETE;

	if (lbr_is_full(s) && call != CUT) {
		hidx_insert(&t->tail_idx, hash_mix(ctx->when.off, ctx->when.time), t->tail.nr);
		vec_push(&t->tail, ((struct tail){ ctx->when, call }));
	}
	for (u64 i = MIN(s->nr_branches, (u64)MAX_CALLS); i > 0; i--)
		call = intern_call(t, &s->branches[i - 1], call);
	*l = (struct last){ ctx->thread, call, s->nr_branches, s->branch_hw_idx };
}

static void stitch_all(struct stitch *st, const struct session *s)
{
	struct ordered_reader *reader = ordered_reader_open(s);
	struct arena scratch = { 0 };
	struct rec rec[64];
	u64 time[ARRAY_SIZE(rec)];
	size_t nr;

	while ((nr = ordered_reader_next(reader, rec, time, ARRAY_SIZE(rec))) > 0) {
		for (size_t i = 0; i < nr; i++) {
			struct sample sample;
			struct sample_ctx ctx;

			if (rec[i].type != REC_SAMPLE ||
			    sample_decode(s->data->plan, &rec[i], &sample, &scratch) ||
			    !lbr_possible(&sample))
				continue;
			ctx = session_sample_ctx(s, &sample, &rec[i]);
			if (ctx.thread)
				stitch_sample(st, &sample, &ctx);
		}
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	ordered_reader_close(reader);
}

struct lbr_tails *lbr_tails_new(const struct session *s)
{
	struct lbr_tails *t = xcalloc(1, sizeof(*t));
	struct stitch *st = xcalloc(1, sizeof(*st));

	for (int i = 0; i < NR_ROOTS; i++)
		vec_push(&t->call, (struct call){ 0 });
	st->t = t;
	stitch_all(st, s);
	vec_release(&st->last);
	hidx_release(&st->idx);
	free(st);
	return t;
}

void lbr_tails_free(struct lbr_tails *t)
{
	if (!t)
		return;
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
