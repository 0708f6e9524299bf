/* Counting: the hot loop of report. Samples are decoded in batches, their addresses looked up together, then added up. */
#include "count.h"
#include "../fields/trace-keys.h"
#include "place.h"
#include "../session/deferred.h"
#include "../session/lbr.h"
#include "../session/reads.h"
#include "../session/resolve.h"

#include <errno.h>
#include <stdlib.h>

enum leaf_from { LEAF_NONE, LEAF_KSTACK, LEAF_FIRST, LEAF_OWN, LEAF_KNOWN };

/* a sample on its way: who and when are known, frames are not */
struct pending {
	struct pile key;		/* base and mode; the rest comes with the frames */
	u64 period, weight[1 + HIST_NR_WEIGHTS];	/* its latency comes first */
	u64 time, off;
	u32 space;
	u32 first, nr;			/* addresses behind the kernel part, in the batch; its own address follows them */
	enum leaf_from leaf;
	const u64 *kip;			/* the kernel part, innermost first */
	u32 nr_kip;
	u64 hash;			/* of the kernel part, then of the whole */
};
#define BATCH 64
#define MAX_CHAIN 4096

struct count_ctx {
	struct session *session;
	const struct hist_opts *opts;
	struct count_worker *workers;
	struct deferred *deferred;	/* user halves of chains; NULL: no event leaves them for later */
};

static void add_ip(struct count_worker *w, const struct pending *p, u64 ip, u8 mode)
{
	lookup_add(&w->lookup, &(struct lookup_ip){ .ip = ip, .time = p->time, .off = p->off, .space = p->space, .mode = mode });
}

/* frames of the recorded chain, innermost first; conventions as in util/session/resolve.h */
static void take_recorded(struct count_worker *w, const struct count_ctx *c, const struct sample *s, struct pending *p)
{
	static const struct count_ctx nothing_deferred;
	const u64 *ip = s->callchain, *end = ip + MIN(s->nr_callchain, (u64)2 * MAX_CHAIN);
	u8 mode = LOOKUP_ANY;
	u32 nr;

	if (ip < end && *ip == CHAIN_KERNEL) {
		p->kip = ++ip;
		while (ip < end && *ip < CHAIN_CONTEXT_MAX && ip - p->kip < MAX_CHAIN)
			ip++;
		p->nr_kip = ip - p->kip;
		mode = CPUMODE_KERNEL;
	}
	while (ip < end && p->nr_kip + p->nr < MAX_CHAIN) {
		if (likely(*ip < CHAIN_CONTEXT_MAX)) {
			add_ip(w, p, *ip++, mode);
			p->nr++;
		} else if (*ip == CHAIN_USER_DEFERRED) {
			/* then a cookie, and nothing else; without the rest the chain ends here */
			ip = deferred_find(c->deferred, s->tid, s->deferred_cookie, p->time, &nr);
			end = ip ? ip + nr : NULL;
			c = &nothing_deferred;
		} else if (chain_marker_mode(*ip++, &mode)) {
			continue;
		} else {
			diag_count(&w->diag, DIAG_BAD_CALLCHAIN, p->off);
			w->lookup.ip.nr = p->first;
			p->nr = p->nr_kip = 0;
			return;
		}
	}
}

/* s, or a copy with the caller that a leaf function hides from frame pointers */
static const struct sample *with_leaf_caller(struct count_worker *w, const struct session *session, const struct sample *s,
					     const struct pending *p, struct sample *copy)
{
	if (!w->unwind)
		w->unwind = unwind_new(session->world, session->symbols, session_machine(session));
	*copy = *s;
	unwind_leaf(w->unwind, copy, p->space, p->time, p->off, &w->scratch);
	return copy;
}

/* the user half of a chain that was recorded as registers and stack bytes */
static void take_unwound(struct count_worker *w, const struct session *session, const struct sample *s, struct pending *p)
{
	u32 room = MAX_CHAIN - p->nr_kip - p->nr;
	u64 ips[MAX_CHAIN];
	int nr;

	if (!room)
		return;
	if (!w->unwind)
		w->unwind = unwind_new(session->world, session->symbols, session_machine(session));
	nr = unwind_dwarf(w->unwind, s, p->space, p->time, p->off, ips, room);
	for (int i = 0; i < nr; i++)
		add_ip(w, p, ips[i], CPUMODE_USER);
	p->nr += MAX(nr, 0);
}

/* --max-stack keeps the frames where the shown order begins: the outermost callers, or the innermost callees */
static void cut_chain(struct count_worker *w, const struct hist_opts *o, struct pending *p)
{
	u32 nr = p->nr_kip + p->nr, skip, kernel;

	if (likely(nr <= o->max_stack))
		return;
	skip = nr - o->max_stack;
	if (o->chain.caller) {
		kernel = MIN(skip, p->nr_kip);
		p->kip += kernel;
		p->nr_kip -= kernel;
		p->first += skip - kernel;
		p->nr -= skip - kernel;
	} else {
		p->nr_kip = MIN(p->nr_kip, o->max_stack);
		p->nr = o->max_stack - p->nr_kip;
	}
	w->lookup.ip.nr = p->first + p->nr;
}

/* most often the sample's own address is the first of its chain */
static void take_leaf(struct count_worker *w, const struct sample *s, struct pending *p)
{
	const struct lookup_ip *first = p->nr && !p->nr_kip ? &w->lookup.ip.v[p->first] : NULL;

	if (p->nr_kip && s->cpumode == CPUMODE_KERNEL && p->kip[0] == s->ip) {
		p->leaf = LEAF_KSTACK;
	} else if (first && first->mode == s->cpumode && first->ip == s->ip) {
		p->leaf = LEAF_FIRST;
	} else {
		add_ip(w, p, s->ip, s->cpumode);
		p->leaf = LEAF_OWN;
	}
}

static u64 slot_key(struct count_worker *w, const struct field *f, const struct hit *hit)
{
	u64 key = f->slot ? f->slot(hit) : f->slot_of(f, hit);

	switch (f->place) {
	case PLACE_BRANCH:
		return place_branch(&w->lookup, hit, key);
	case PLACE_DATA:
		return place_data(&w->lookup, hit, key);
	default:
		return key;
	}
}

static u32 find_base(struct count_worker *w, const struct hist_opts *o, const struct hit *hit)
{
	u64 key[1 + HIST_MAX_KEYS + BRANCH_WORDS];
	u32 nr = 0;

	key[nr++] = hit->sample->event->idx;
	for (u32 i = 0; i < o->nr_keys; i++)
		if (o->key[i]->kind == FIELD_SLOT)
			key[nr++] = slot_key(w, o->key[i], hit);
	if (hit->branch)
		branch_words(w, o, hit, hit->branch + 1 == hit->sample->branches + hit->sample->nr_branches, key + nr);
	/* most often that of the sample before */
	if (unlikely(!w->bases.nr || !rows_equal(rows_at(&w->bases, w->last_base), key, w->bases.nr_key)))
		w->last_base = rows_get(&w->bases, key);
	return w->last_base;
}

static u32 find_kstack(struct count_worker *w, const struct pending *p)
{
	u32 id = kstacks_find(&w->kstacks, p->hash, p->kip, p->nr_kip, p->time);
	struct kstack *k;

	if (likely(id))
		return id;
	k = kstacks_add(&w->kstacks, p->hash, p->kip, p->nr_kip);
	for (u32 i = 0; i < p->nr_kip; i++) {
		struct lookup_ip q = { .ip = p->kip[i], .time = p->time, .off = p->off, .space = p->space,
				       .mode = CPUMODE_KERNEL };

		w->kstacks.frame.v[k->first + i] = lookup_one(&w->lookup, &q, &k->from, &k->to);
	}
	return w->kstacks.stack.nr - 1;
}

static u32 leaf_frame(const struct count_worker *w, const struct pending *p)
{
	switch (p->leaf) {
	case LEAF_KSTACK:
		return w->kstacks.frame.v[w->kstacks.stack.v[p->key.kstack].first];
	case LEAF_FIRST:
		return w->lookup.frame.v[p->first];
	case LEAF_OWN:
		return w->lookup.frame.v[p->first + p->nr];
	case LEAF_KNOWN:
		return p->key.leaf;
	default:
		return 0;
	}
}

static void add_sums(const struct count_worker *w, struct pile *t, const struct pending *p)
{
	t->nr++;
	t->period += p->period;
	for (u32 i = 0; i < w->piles.nr_weights; i++)
		pile_weights(t)[i] += p->weight[i];
}

static void flush_batch(struct count_worker *w)
{
	struct pending *end = w->pending + w->nr_pending;

	for (struct pending *p = w->pending; p < end; p++)
		if (p->nr_kip)
			kstacks_prefetch(&w->kstacks, p->hash);
	lookup_run(&w->lookup);
	for (struct pending *p = w->pending; p < end; p++)
		if (p->nr_kip)
			kstacks_prefetch_ips(&w->kstacks, p->hash);
	for (struct pending *p = w->pending; p < end; p++) {
		if (p->nr_kip)
			p->key.kstack = find_kstack(w, p);
		p->key.leaf = leaf_frame(w, p);
		p->key.shape |= PILE_SHAPE(p->nr, 0);
		p->hash = pile_hash(&p->key, w->lookup.frame.v + p->first);
		hidx_prefetch(&w->piles.idx, p->hash);
	}
	for (struct pending *p = w->pending; p < end; p++)
		piles_prefetch(&w->piles, p->hash);
	for (struct pending *p = w->pending; p < end; p++)
		add_sums(w, piles_get(&w->piles, p->hash, &p->key, w->lookup.frame.v + p->first), p);
	w->nr_pending = 0;
	w->lookup.ip.nr = 0;
}

static u64 period_of(const struct hist_opts *o, const struct sample *s)
{
	switch (o->mode) {
	case COUNT_BRANCHES:
		return s->nr_branches;
	case COUNT_WEIGHT:
		return MAX(s->weight, 1ul);
	default:
		return s->period;
	}
}

/* thousandths of the sample's period that are each task's of those that ran, whatever it is that is counted */
static u64 latency_of(const struct hit *hit)
{
	u64 period = hit->sample->period, n = hit->parallelism;

	return n ? period / n * 1000 + period % n * 1000 / n : 0;
}

/* one for each branch; the function that it went to is what the row is about */
static void count_branches(struct count_worker *w, const struct hist_opts *o, struct hit *hit)
{
	const struct sample *s = hit->sample;

	for (u64 i = 0; i < s->nr_branches; i++) {
		struct pending *p = &w->pending[w->nr_pending];

		hit->branch = &s->branches[i];
		*p = (struct pending){ .key = { .base = find_base(w, o, hit), .shape = PILE_SHAPE(0, s->cpumode) },
			.period = 1, .weight = { latency_of(hit), 1, s->ins_lat, s->p_stage_cyc }, .first = w->lookup.ip.nr };
		if (o->frames) {
			p->key.leaf = place_branch(&w->lookup, hit, hit->branch->to);
			p->leaf = LEAF_KNOWN;
		}
		if (++w->nr_pending == BATCH)
			flush_batch(w);
	}
}

static void add_total(struct count_worker *w, const struct hist_opts *o, const struct hit *hit)
{
	const struct sample *s = hit->sample;
	struct stat_sums *total = &w->total[s->event->idx];

	total->nr++;
	total->period += period_of(o, s);
	if (!hit->parallelism)
		return;
	total->latency += (o->mode == COUNT_BRANCHES ? s->nr_branches : 1) * latency_of(hit);
	w->max_parallelism = MAX(w->max_parallelism, hit->parallelism);
}

static void count_one(struct count_worker *w, const struct count_ctx *c, const struct rec *rec, const struct sample *s)
{
	const struct hist_opts *o = c->opts;
	struct hit hit = { .session = c->session, .sample = s, .worker = &w->fields };
	struct pending *p = &w->pending[w->nr_pending];
	enum hit_verdict verdict = HIT_KEEP;
	struct sample copy;

	if (o->mode == COUNT_BRANCHES && !s->nr_branches)
		return;
	hit.whence = locator_whence(&w->locator, c->session, s, rec);
	hit.comm = world_comm_or_first(c->session->world, hit.whence.thread, hit.whence.time, hit.whence.off);
	if (unlikely(hit.comm == WORLD_NONE))
		hit.comm = world_first_comm(c->session->world, s->tid);
	if (o->parallelism)
		hit.parallelism = parallelism_at(o->parallelism, hit.whence.time, hit.whence.off, &w->level_hint);
	if (o->keep)
		verdict = o->keep(o->keep_ctx, &hit);
	if (verdict == HIT_DROP)
		return;
	add_total(w, o, &hit);
	if (verdict == HIT_HIDE)
		return;
	if (o->mode == COUNT_BRANCHES) {
		count_branches(w, o, &hit);
		return;
	}
	*p = (struct pending){ .key = { .base = find_base(w, o, &hit), .shape = PILE_SHAPE(0, s->cpumode) },
		.period = period_of(o, s), .weight = { latency_of(&hit), (u32)s->weight, s->ins_lat, s->p_stage_cyc },
		.time = hit.whence.time, .off = hit.whence.off, .space = hit.whence.space, .first = w->lookup.ip.nr };
	if (o->chains) {
		if (unlikely(unwind_leaf_possible(s)))
			s = with_leaf_caller(w, c->session, s, p, &copy);
		take_recorded(w, c, s, p);
		if (unwind_possible(s))
			take_unwound(w, c->session, s, p);
		cut_chain(w, o, p);
		for (u32 i = 0; i < p->nr_kip; i++)
			p->hash = hash_mix(p->hash, p->kip[i]);
		hidx_prefetch(&w->kstacks.idx, p->hash = hash_u64(p->hash));
	}
	if (o->frames)
		take_leaf(w, s, p);
	if (++w->nr_pending == BATCH)
		flush_batch(w);
}

static void count_sample(struct count_worker *w, const struct count_ctx *c, const struct rec *rec)
{
	struct sample s;
	int ret = sample_decode(c->session->data->plan, rec, &s, &w->scratch), what;

	if (!ret)
		lbr_chain(&s, &w->scratch);
	if (unlikely(ret)) {
		diag_count(&w->diag, ret == -ENOENT ? DIAG_UNKNOWN_ID : DIAG_TRUNCATED_RECORD, rec->off);
	} else if (session_has_reads(c->session, &s)) {
		for (u32 i = 0; (what = session_read(c->session, rec, i, &s)) >= 0; i++)
			if (what)
				count_one(w, c, rec, &s);
	} else {
		count_one(w, c, rec, &s);
	}
}

static void count_chunk(void *arg, unsigned int worker, size_t i)
{
	struct count_ctx *c = arg;
	struct count_worker *w = &c->workers[worker];
	const struct chunk *chunk = &c->session->chunks.v[i];
	struct rec_walk walk = rec_walk_of(c->session->data, chunk->stream, chunk->off, chunk->end, &w->diag);
	struct rec rec;

	data_will_need(chunk->stream, chunk->off, chunk->end);
	while (rec_next(&walk, &rec) > 0) {
		if (rec.type == REC_SAMPLE)
			count_sample(w, c, &rec);
		if (!w->nr_pending)
			arena_reset(&w->scratch);	/* chains of pending samples may lie in it */
	}
	flush_batch(w);		/* before the pages that the chains lie in are given back */
	data_dont_need(chunk->stream, chunk->off, chunk->end);
}

/* words of a base behind its event */
static u32 nr_words(const struct hist_opts *o)
{
	u32 nr = 0;

	for (u32 i = 0; i < o->nr_keys; i++)
		nr += o->key[i]->kind == FIELD_SLOT;
	return nr + (o->mode == COUNT_BRANCHES ? BRANCH_WORDS : 0);
}

/* distinct chains and frames are some part of the samples: tables of that size need not grow often */
static void expect_chains(struct count_worker *w, const struct session *s)
{
	u32 nr = MIN(s->nr_samples / pool_nr_workers(s->pool) / 4, 1ul << 20);

	hidx_reserve(&w->piles.idx, nr);
	frames_reserve(&w->lookup.frames, nr);
}

static void count_worker_init(struct count_worker *w, const struct session *s, const struct hist_opts *o)
{
	w->fields.opts = &o->fields;
	locator_init(&w->locator, s->world);
	lookup_init(&w->lookup, s->world, !o->symbols && !o->chains);
	rows_init(&w->bases, 1 + nr_words(o), 0);
	w->piles.nr_weights = o->weights ? 1 + HIST_NR_WEIGHTS : o->latency;
	kstacks_init(&w->kstacks);
	w->total = xcalloc_aligned(s->data->evset->ev.nr, sizeof(*w->total));
	w->pending = xcalloc_aligned(BATCH, sizeof(*w->pending));
	if (o->chains)
		expect_chains(w, s);
}

void count_run(struct session *s, const struct hist_opts *opts, struct count_worker *workers)
{
	struct count_ctx c = { .session = s, .opts = opts, .workers = workers };

	if (opts->trace)
		trace_keys_load_kernel(s);
	for (unsigned int i = 0; i < pool_nr_workers(s->pool); i++)
		count_worker_init(&workers[i], s, opts);
	if (opts->chains)
		c.deferred = deferred_new(s);
	pool_run_shown(s->pool, "counting samples", s->chunks.nr, count_chunk, &c);
	deferred_free(c.deferred);
	for (unsigned int i = 0; i < pool_nr_workers(s->pool); i++) {
		struct count_worker *w = &workers[i];

		lookup_finish(&w->lookup);
		free(w->pending);
		w->pending = NULL;
		/* nothing is looked up any more */
		hidx_release(&w->piles.idx);
		hidx_release(&w->kstacks.idx);
		vec_release(&w->kstacks.ip);
	}
}

void count_worker_release(struct count_worker *w)
{
	locator_release(&w->locator);
	lookup_finish(&w->lookup);
	frames_release(&w->lookup.frames);
	rows_release(&w->bases);
	piles_release(&w->piles);
	kstacks_release(&w->kstacks);
	unwind_free(w->unwind);
	free(w->total);
	free(w->pending);
	free(w->frame_map);
	arena_release(&w->scratch);
	field_worker_release(&w->fields);
}
