/*
 * Counting: the hot loop of report. Samples are decoded in batches, their addresses looked up
 * together, then added up.
 */
#include "count.h"
#include "address-frames.h"
#include "branch-history.h"
#include "carry.h"
#include "count-symbols.h"
#include "count-worker.h"
#include "../data/copied-walk.h"
#include "../event/record.h"
#include "../resolve/deferred.h"
#include "../resolve/kernel-names.h"
#include "../session/parallelism.h"
#include "../session/reads.h"
#include "../wall/wall-event.h"

#include <errno.h>
#include <stdlib.h>

enum leaf_from { LEAF_NONE, LEAF_KSTACK, LEAF_FIRST, LEAF_OWN, LEAF_KNOWN };

/* a sample that is being processed: time and task are known, frames are not */
struct pending {
	struct bucket key;		/* sample_key and mode; the rest follows with the frames */
	u64 period, times;		/* times: the number of samples that it is the sum of */
	struct sample_ctx ctx;
	/* addresses after the kernel part, in the batch; its own address follows them */
	u32 first, nr;
	enum leaf_from leaf;
	struct chain_run kernel;	/* the kernel part */
	struct place place;		/* with hist_opts.time; with hist_opts.samples its CPU alone */
	struct place_span span;		/* with hist_opts.time */
	u64 hash;			/* of the kernel part, then of the whole */
};
#define BATCH 64
#define MAX_CHAIN 4096

/*
 * Sums of buckets beside the period, of a pending sample: its latency first, then weights, sums of its
 * branches, and parts of the access. Apart from struct pending, because most reports have none
 */
struct pending_sums {
	u64 v[HIST_MAX_SUMS];
};

struct count_ctx {
	struct session *session;
	const struct hist_opts *opts;
	struct count_worker *workers;
	const u32 *chunk;		/* see run_chunks() */
};

static void add_ip(struct count_worker *w, const struct pending *p, u64 ip, u8 mode, bool caller)
{
	lookup_add(&w->lookup, &(struct lookup_ip){ .ip = ip, .ctx = &p->ctx, .mode = mode,
						    .caller = caller });
}

/* the addresses of the whole chain, innermost first; true: the last one is the mark of its end */
static bool take_chain(struct count_worker *w, const struct sample *s, struct pending *p,
		       const struct hist_opts *o)
{
	struct sample_chain chain = sample_chain_of(&w->resolver, s, &p->ctx, MAX_CHAIN);
	struct chain_run run;
	enum stack_why why;
	bool marked;

	if (unlikely(o->history)) {
		p->nr = history_take(w, s, &p->ctx, &chain, !o->every_branch, MAX_CHAIN);
		return false;
	}
	while (sample_chain_next(&chain, &run)) {
		u8 mode = run.cpumode == CPUMODE_UNKNOWN ? LOOKUP_ANY : run.cpumode;

		if (mode == CPUMODE_KERNEL && !p->nr && !p->kernel.nr) {
			p->kernel = run;
			continue;
		}
		for (u64 i = 0; i < run.nr; i++)
			add_ip(w, p, run.ip[i], mode, chain_run_is_caller(&run, i));
		p->nr += run.nr;
	}
	why = sample_chain_why(&chain);
	p->key.shape |= BUCKET_SHAPE_WHY(why);
	marked = o->mark_ends && why > STACK_MIXED;
	if (marked) {
		add_ip(w, p, STACK_END_IP(why), CPUMODE_USER, false);
		p->nr++;
	}
	if (unlikely(chain.walk.damaged))
		diag_count(&w->diag, DIAG_BAD_CALLCHAIN, p->ctx.when.off);
	return marked;
}

/*
 * --max-stack keeps the first frames of the shown order: the outermost callers, or the innermost callees. The
 * mark of an incomplete chain does not count
 */
static void cut_chain(struct count_worker *w, const struct hist_opts *o, struct pending *p, bool marked)
{
	u32 nr = p->kernel.nr + p->nr, max = o->max_stack + marked, skip, kernel;

	if (likely(nr <= max))
		return;
	skip = nr - max;
	if (o->chain.caller) {
		kernel = MIN(skip, p->kernel.nr);
		p->kernel.ip += kernel;
		p->kernel.nr -= kernel;
		p->kernel.nr_exact -= MIN(kernel, p->kernel.nr_exact);
		p->first += skip - kernel;
		p->nr -= skip - kernel;
	} else {
		p->kernel.nr = MIN(p->kernel.nr, max);
		p->nr = max - p->kernel.nr;
	}
	w->lookup.ip.nr = p->first + p->nr;
}

/* mostly the sample's own address is the first of its chain */
static void take_leaf(struct count_worker *w, const struct sample *s, struct pending *p, bool in_chain)
{
	bool has_first = in_chain && p->nr && !p->kernel.nr;
	const struct lookup_place *first = has_first ? &w->lookup.ip.v[p->first] : NULL;

	if (p->kernel.nr && s->cpumode == CPUMODE_KERNEL && p->kernel.ip[0] == s->ip) {
		p->leaf = LEAF_KSTACK;
	} else if (first && first->mode == s->cpumode && first->ip == s->ip) {
		p->leaf = LEAF_FIRST;
	} else {
		add_ip(w, p, s->ip, s->cpumode, false);
		p->leaf = LEAF_OWN;
	}
}

static u64 slot_key(struct count_worker *w, const struct field *f, const struct resolved_sample *rs)
{
	u64 key = f->slot ? f->slot(rs) : f->slot_of(f, rs);

	switch (f->address) {
	case ADDRESS_BRANCH:
		return branch_frame(&w->lookup, rs, key);
	case ADDRESS_DATA:
		return data_frame(&w->lookup, rs, key);
	default:
		return key;
	}
}

static u32 find_sample_key(struct count_worker *w, const struct hist_opts *o,
			   const struct resolved_sample *rs)
{
	u64 key[1 + HIST_MAX_KEYS + BRANCH_WORDS];
	u32 nr = 0;

	key[nr++] = rs->sample->event->idx;
	for (u32 i = 0; i < o->nr_keys; i++)
		if (o->key[i]->kind == FIELD_SLOT)
			key[nr++] = slot_key(w, o->key[i], rs);
	if (rs->branch)
		branch_words(w, o, rs, rs->branch + 1 == rs->sample->branches + rs->sample->nr_branches,
			     key + nr);
	/* mostly equal to that of the previous sample */
	if (unlikely(!w->sample_keys.nr || !key_table_equal(key_table_at(&w->sample_keys, w->last_sample_key),
							    key, w->sample_keys.nr_key)))
		w->last_sample_key = key_table_get(&w->sample_keys, key);
	return w->last_sample_key;
}

static const struct kstack *find_kstack(struct count_worker *w, const struct pending *p)
{
	u32 id = kstacks_find(&w->kstacks, p->hash, &p->kernel, p->ctx.when.time);
	struct kstack *k;
	u32 first;

	if (likely(id))
		return &w->kstacks.stack.v[id];
	k = kstacks_add(&w->kstacks, p->hash, &p->kernel);
	first = w->kstacks.frame.nr - p->kernel.nr;
	for (u32 i = 0; i < p->kernel.nr; i++) {
		struct lookup_ip q = { .ip = p->kernel.ip[i], .ctx = &p->ctx, .mode = CPUMODE_KERNEL,
				       .caller = chain_run_is_caller(&p->kernel, i) };

		w->kstacks.frame.v[first + i] = lookup_one(&w->lookup, &q, &k->from, &k->to);
	}
	kstacks_added(&w->kstacks);
	return k;
}

static u32 leaf_frame(struct count_worker *w, const struct pending *p, const struct kstack *k)
{
	switch (p->leaf) {
	case LEAF_KSTACK:
		return k->leaf;
	case LEAF_FIRST:
		return lookup_frame(&w->lookup, p->first);
	case LEAF_OWN:
		return lookup_frame(&w->lookup, p->first + p->nr);
	case LEAF_KNOWN:
		return p->key.leaf;
	default:
		return 0;
	}
}

static u64 *sums_of(const struct count_worker *w, const struct pending *p)
{
	return w->pending_sums[p - w->pending].v;
}

static void add_sums(struct count_worker *w, struct bucket *t, const struct pending *p)
{
	t->nr += p->times;
	t->period += p->period;
	for (u32 i = 0; i < w->buckets.nr_weights; i++)
		bucket_weights(t)[i] += sums_of(w, p)[i];
	if (likely(!w->buckets.nr_places))
		return;
	if (w->keeps_samples)
		timed_add(&w->timed, bucket_place(&w->buckets, t), p->ctx.when.time, p->period,
			  p->place.cpu & TIMED_NO_CPU);
	else
		places_spread(&w->time, &w->places, bucket_place(&w->buckets, t), &p->place, &p->span,
			      p->period);
}

/*
 * Frame pointers are followed wherever they lead: the chain ends before outermost callers at addresses
 * without a map. A chain without any known address stays unchanged.
 */
static void drop_unmapped_callers(struct count_worker *w, struct pending *p)
{
	const u32 *frame = w->lookup.frame.v + p->first;
	u32 nr = p->nr;
	enum stack_why why = p->key.shape >> 4 & 15;

	if (why == STACK_NO_FP && w->mark_ends)
		nr--;
	else if (why != STACK_NO_FP && why != STACK_COMPLETE)
		return;
	if (nr < 2 || likely(frame[nr - 1] != LOOKUP_UNMAPPED))
		return;
	while (nr && frame[nr - 1] == LOOKUP_UNMAPPED)
		nr--;
	if (!nr)
		return;
	if (w->mark_ends)
		w->lookup.ip.v[p->first + nr++].ip = STACK_END_IP(STACK_NO_FP);
	p->nr = nr;
	p->key.shape = BUCKET_SHAPE_WHY(STACK_NO_FP) | BUCKET_SHAPE(0, p->key.shape);
}

static void settle_frames(struct count_worker *w, const struct pending *p)
{
	for (u32 i = p->first; i < p->first + p->nr; i++)
		w->lookup.frame.v[i] = lookup_frame(&w->lookup, i);
}

static void flush_batch(struct count_worker *w)
{
	struct pending *end = w->pending + w->nr_pending;

	for (struct pending *p = w->pending; p < end; p++)
		if (p->kernel.nr)
			kstacks_prefetch(&w->kstacks, p->hash);
	lookup_run(&w->lookup);
	if (unlikely(w->mark.nr)) {
		for (struct pending *p = w->pending; p < end; p++) {
			settle_frames(w, p);
			history_mark(w, p->first, p->nr);
		}
	}
	for (struct pending *p = w->pending; p < end; p++)
		if (p->kernel.nr)
			kstacks_prefetch_ips(&w->kstacks, p->hash);
	for (struct pending *p = w->pending; p < end; p++) {
		const struct kstack *k = p->kernel.nr ? find_kstack(w, p) : &w->kstacks.stack.v[0];

		p->key.kstack = k->same;
		p->key.leaf = leaf_frame(w, p, k);
		drop_unmapped_callers(w, p);
		settle_frames(w, p);
		p->key.shape |= BUCKET_SHAPE(p->nr, 0);
		p->hash = bucket_hash(&p->key, w->lookup.frame.v + p->first);
		hidx_prefetch(&w->buckets.idx, p->hash);
	}
	for (struct pending *p = w->pending; p < end; p++)
		buckets_prefetch(&w->buckets, p->hash);
	for (struct pending *p = w->pending; p < end; p++)
		add_sums(w, buckets_get(&w->buckets, p->hash, &p->key, w->lookup.frame.v + p->first), p);
	w->nr_pending = 0;
	w->lookup.ip.nr = 0;
}

static u64 times_of(const struct sample *s)
{
	return unlikely(wall_event_is(s->event)) ? wall_event_slices(s) : MAX(s->times, (u64)1);
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

/*
 * thousandths of the sample's period divided by the number of tasks that ran, whatever is counted; of several
 * equal samples their sum
 */
static u64 latency_of(const struct resolved_sample *rs)
{
	u64 times = MAX(rs->sample->times, (u64)1), period = rs->sample->period / times, n = rs->parallelism;

	return n ? (period / n * 1000 + period % n * 1000 / n) * times : 0;
}

/* unknown time is in the period alone */
static void state_sums(const struct sample *s, u64 period, u64 *sum)
{
	u32 state = wall_event_is(s->event) ? wall_event_state(s) : WALL_UNKNOWN;

	if (state < HIST_NR_BRANCH_SUMS)
		sum[state] = period;
}

/* waits begin at their time; CPU time was used before the sample that stands for it */
static struct place_span span_of(const struct sample *s, u64 period)
{
	if (!wall_event_is(s->event))
		return (struct place_span){ 0 };
	if (wall_event_state(s) == WALL_ON)
		return (struct place_span){ s->time - MIN(period, s->time), s->time };
	return (struct place_span){ s->time, s->time + MIN(period, UINT64_MAX - s->time) };
}

/* of the sample, or of one of its branches */
static void take_sums(const struct count_worker *w, const struct hist_opts *o,
		      const struct resolved_sample *rs, const struct pending *p)
{
	const struct sample *s = rs->sample;
	u8 part[DATA_SRC_NR_GROUPS];
	u64 *sum;

	if (likely(!w->buckets.nr_weights))
		return;
	sum = sums_of(w, p);
	memset(sum, 0, sizeof(*w->pending_sums));
	sum[0] = latency_of(rs);
	sum[1] = rs->branch ? 1 : (u32)s->weight;
	sum[2] = s->ins_lat;
	sum[3] = s->p_stage_cyc;
	if (o->states)
		state_sums(s, p->period, sum + HIST_FIRST_BRANCH_SUM);
	else if (o->branch_sums)
		branch_sums(rs->branch ? rs->branch : s->branches, rs->branch ? 1 : s->nr_branches,
			    sum + HIST_FIRST_BRANCH_SUM);
	if (!o->mem_parts || rs->branch)
		return;
	data_src_parts(s->data_src, part);
	for (u32 i = 0; i < DATA_SRC_NR_GROUPS; i++)
		sum[HIST_FIRST_MEM_PART + part[i]] = p->period;
}

/* once per branch; the row is that of the function to which it went */
static void count_branches(struct count_worker *w, const struct hist_opts *o, struct resolved_sample *rs)
{
	const struct sample *s = rs->sample;

	for (u64 i = 0; i < s->nr_branches; i++) {
		struct pending *p = &w->pending[w->nr_pending];

		rs->branch = &s->branches[i];
		*p = (struct pending){ .key = { .sample_key = find_sample_key(w, o, rs),
						.shape = BUCKET_SHAPE(0, s->cpumode) },
			.period = 1, .times = 1, .first = w->lookup.ip.nr };
		take_sums(w, o, rs, p);
		if (o->frames) {
			p->key.leaf = branch_frame(&w->lookup, rs, rs->branch->to);
			p->leaf = LEAF_KNOWN;
		}
		if (unlikely(o->time.nr_columns))
			p->place = place_of_sample(&o->time, s);
		if (++w->nr_pending == BATCH)
			flush_batch(w);
	}
}

static void add_total(struct count_worker *w, const struct hist_opts *o, const struct resolved_sample *rs)
{
	const struct sample *s = rs->sample;
	struct stat_sums *total = &w->total[s->event->idx];
	u64 sums[HIST_NR_BRANCH_SUMS] = { 0 };

	total->nr += times_of(s);
	total->period += period_of(o, s);
	if (o->branch_sums) {
		branch_sums(s->branches, s->nr_branches, sums);
		total->cycles += sums[HIST_CYCLES];
	}
	if (!rs->parallelism)
		return;
	total->latency += (o->mode == COUNT_BRANCHES ? s->nr_branches : 1) * latency_of(rs);
	w->nr_parallel += rs->parallelism > 1 ? MAX(s->times, (u64)1) : 0;
}

static void count_one(struct count_worker *w, const struct count_ctx *c, const struct rec *rec,
		      const struct sample *s)
{
	const struct hist_opts *o = c->opts;
	struct resolved_sample rs = { .machine = c->session->machine, .features = &c->session->data->feat,
				      .sample = s, .worker = &w->fields };
	struct pending *p = &w->pending[w->nr_pending];
	enum filter_verdict verdict = FILTER_KEEP;

	if (o->mode == COUNT_BRANCHES && !s->nr_branches)
		return;
	locator_ctx(&w->resolver.locator, s->pid, s->tid, session_when(c->session, s, rec), &rs.ctx);
	rs.comm = machine_comm_or_first(c->session->machine, rs.ctx.thread, rs.ctx.when);
	if (unlikely(rs.comm == ID_NONE))
		rs.comm = machine_first_comm(c->session->machine, s->tid);
	if (o->parallelism)
		rs.parallelism = parallelism_at(o->parallelism, rs.ctx.when, &w->level_hint);
	if (o->keep)
		verdict = o->keep(o->keep_ctx, &rs);
	if (verdict == FILTER_DROP)
		return;
	add_total(w, o, &rs);
	if (verdict == FILTER_HIDE)
		return;
	if (o->mode == COUNT_BRANCHES) {
		count_branches(w, o, &rs);
		return;
	}
	*p = (struct pending){ .key = { .sample_key = find_sample_key(w, o, &rs),
					.shape = BUCKET_SHAPE(0, s->cpumode) }, .period = period_of(o, s),
		.times = times_of(s), .ctx = rs.ctx, .first = w->lookup.ip.nr };
	take_sums(w, o, &rs, p);
	if (o->chains) {
		cut_chain(w, o, p, take_chain(w, s, p, o));
		for (u32 i = 0; i < p->kernel.nr; i++)
			p->hash = hash_mix(p->hash, p->kernel.ip[i]);
		hidx_prefetch(&w->kstacks.idx, p->hash = hash_u64(p->hash));
	}
	if (o->frames)
		take_leaf(w, s, p, !o->history);
	if (unlikely(o->time.nr_columns)) {
		p->place = place_of_sample(&o->time, s);
		p->span = span_of(s, p->period);
		/* a thread that waits is on no CPU */
		if (wall_event_is(s->event) && wall_event_state(s) != WALL_ON)
			p->place.cpu = PLACE_NO_CPU;
	} else if (unlikely(o->samples)) {
		p->place.cpu = s->event->attr.sample_type & PERF_SAMPLE_CPU ? s->cpu : PLACE_NO_CPU;
	}
	if (++w->nr_pending == BATCH)
		flush_batch(w);
}

static void count_sample(struct count_worker *w, const struct count_ctx *c, const struct rec *rec)
{
	struct sample s;
	int ret = sample_decode(c->session->data->plan, rec, &s, &w->scratch), what;

	if (unlikely(ret)) {
		diag_count_record(&w->diag, ret == -ENOENT ? DIAG_UNKNOWN_ID : DIAG_TRUNCATED_RECORD,
				  rec->off, record_name(rec->type));
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
	const struct chunk *chunk = &c->session->chunks.v[c->chunk ? c->chunk[i] : i];
	struct copied_walk walk = copied_walk_of(rec_walk_of(c->session->data, chunk->stream, chunk->off,
							     chunk->end, &w->diag), w->piece);
	struct rec rec;

	for (;;) {
		if (copied_walk_needs(&walk)) {
			flush_batch(w);		/* the chains of pending samples are in the piece */
			copied_walk_next(&walk);
		}
		if (rec_next(&walk.walk, &rec) <= 0)
			break;
		if (rec.type == REC_SAMPLE)
			count_sample(w, c, &rec);
		if (!w->nr_pending)
			arena_reset(&w->scratch);	/* chains of pending samples may be in it */
	}
	flush_batch(w);
	copied_walk_end(&walk);
}

/* number of words in a sample_key after its event */
static u32 nr_words(const struct hist_opts *o)
{
	u32 nr = 0;

	for (u32 i = 0; i < o->nr_keys; i++)
		nr += o->key[i]->kind == FIELD_SLOT;
	return nr + (o->mode == COUNT_BRANCHES ? BRANCH_WORDS : 0);
}

/*
 * tables begin at a fraction of the number of samples, because chains and frames repeat (far more if
 * addresses of a symbol are one frame); so they seldom grow
 */
static void expect_chains(struct count_worker *w, const struct session *s, bool by_symbol)
{
	u32 nr = MIN(s->nr_samples / pool_nr_workers(s->pool) / (by_symbol ? 32 : 4), 1ul << 20);

	hidx_reserve(&w->buckets.idx, nr);
	frames_reserve(&w->lookup.frames, nr / 2);
}

static void count_worker_init(struct count_worker *w, const struct session *s, const struct hist_opts *o)
{
	w->mark_ends = o->mark_ends;
	w->fields.opts = &o->fields;
	w->fields.resolver = &w->resolver;
	resolver_init(&w->resolver, s, &w->scratch);
	lookup_init(&w->lookup, &w->resolver.locator, !o->symbols && !o->chains);
	key_table_init(&w->sample_keys, 1 + nr_words(o), 0);
	w->buckets.nr_weights = hist_nr_sums(o);
	w->keeps_samples = o->samples;
	w->buckets.nr_places = o->time.nr_columns > 0 || o->samples;
	w->time = o->time;
	if (o->history)
		key_table_init(&w->marked, 2, 0);
	kstacks_init(&w->kstacks);
	w->total = xcalloc_aligned(s->data->evset->ev.nr, sizeof(*w->total));
	w->pending = xcalloc_aligned(BATCH, sizeof(*w->pending));
	if (session_may_copy(s))
		w->piece = xmalloc(COPIED_WALK_SIZE);
	if (w->buckets.nr_weights)
		w->pending_sums = xcalloc_aligned(BATCH, sizeof(*w->pending_sums));
	if (o->chains)
		expect_chains(w, s, counts_by_symbol(s, o));
}

/* the chunks with these numbers; NULL: the first nr ones */
static void run_chunks(void *ctx, const u32 *chunk, size_t nr)
{
	struct count_ctx *c = ctx;

	c->chunk = chunk;
	pool_run_shown(c->session->pool, "counting samples", nr, count_chunk, c);
}

void count_run(struct session *s, const struct hist_opts *opts, struct count_worker *workers)
{
	struct count_ctx c = { .session = s, .opts = opts, .workers = workers };
	struct deferred *deferred = NULL;

	if (opts->trace)
		kernel_names_load(s);
	if (opts->chains)
		deferred = deferred_new(s);
	for (unsigned int i = 0; i < pool_nr_workers(s->pool); i++) {
		count_worker_init(&workers[i], s, opts);
		workers[i].resolver.deferred = deferred;
	}
	if (opts->carry)
		hist_carry_give(opts->carry, &workers[0], opts);
	if (counts_by_symbol(s, opts))
		count_by_symbol(s, opts, workers, run_chunks, &c);
	else
		run_chunks(&c, NULL, s->chunks.nr);
	deferred_free(deferred);
	vec_foreach(&s->data->stream, stream)
		data_dont_need(stream, 0, stream->end);
	for (unsigned int i = 0; i < pool_nr_workers(s->pool); i++) {
		struct count_worker *w = &workers[i];

		lookup_finish(&w->lookup);
		free(w->pending);
		free(w->pending_sums);
		free(w->piece);
		w->pending = NULL;
		w->piece = NULL;
		w->pending_sums = NULL;
		/* no more look-ups follow */
		hidx_release(&w->buckets.idx);
		kstacks_finish(&w->kstacks);
		vec_release(&w->mark);
	}
	alloc_give_back();
}
