/* Counting: the hot loop of report. Per sample: decode, who and where, one hash per frame (cached), one row. */
#include "count.h"
#include "../session/reads.h"
#include "../session/resolve.h"

#include <errno.h>
#include <stdlib.h>

/* (space, mode, ip) -> frame, while the map it was found in was there */
struct frame_cache_slot {
	u64 ip, from, to;
	u32 space, frame;
	u8 mode;
};
#define FRAME_CACHE_BITS 15
#define MAX_CHAIN 4096

struct count_ctx {
	struct session *session;
	const struct hist_opts *opts;
	struct count_worker *workers;
	u64 done;
};

static u32 frame_of_loc(struct count_worker *w, const struct hist_opts *o, const struct loc *loc, u64 ip)
{
	if (!o->symbols && !o->chains)
		return frames_add(&w->frames, loc->dso, loc->cpumode, 0, 0);
	return frames_add(&w->frames, loc->dso, loc->cpumode, loc->dso == WORLD_NONE ? ip : loc->dso_addr, ip);
}

static u32 frame_lookup(struct count_worker *w, const struct count_ctx *c, const struct whence *wh, u8 mode, u64 ip)
{
	u32 space = mode == CPUMODE_KERNEL ? 0 : wh->space;
	struct frame_cache_slot *slot = &w->cache[hash_u64(ip ^ (u64)space << 40) >> (64 - FRAME_CACHE_BITS)];
	struct locator_slot found;

	if (likely(slot->ip == ip && slot->space == space && slot->mode == mode && wh->time > slot->from &&
		   wh->time < slot->to))
		return slot->frame;
	locator_fill(&w->locator, &found, wh->space, mode, ip, wh->time, wh->off);
	*slot = (struct frame_cache_slot){ .ip = ip, .space = space, .mode = mode, .from = found.from, .to = found.to,
		.frame = frame_of_loc(w, c->opts, &found.loc, ip) };
	return slot->frame;
}

static u32 stack_add(struct stacks *s, const u32 *frames, u32 nr)
{
	u64 hash = hash_bytes(frames, nr * sizeof(*frames));
	u32 id, *copy;

	HIDX_FOREACH(&s->idx, hash, id)
		if (s->stack.v[id][0] == nr && !memcmp(s->stack.v[id] + 1, frames, nr * sizeof(*frames)))
			return id;
	id = s->stack.nr;
	copy = arena_alloc(&s->arena, (nr + 1) * sizeof(*copy));
	copy[0] = nr;
	if (nr)		/* a sample without a chain has no frames to copy from */
		memcpy(copy + 1, frames, nr * sizeof(*frames));
	vec_push(&s->stack, copy);
	hidx_insert(&s->idx, hash, id);
	return id;
}

/* addresses before the first marker lie on either side */
static u32 frame_anywhere(struct count_worker *w, const struct count_ctx *c, const struct whence *wh, u64 ip)
{
	u32 frame = frame_lookup(w, c, wh, CPUMODE_USER, ip);

	return w->frames.frame.v[frame].dso != WORLD_NONE ? frame : frame_lookup(w, c, wh, CPUMODE_KERNEL, ip);
}

/* frames of the recorded chain, innermost first; conventions as in util/session/resolve.h */
static u32 recorded_frames(struct count_worker *w, const struct count_ctx *c, const struct hit *hit, u32 *frames, u32 max)
{
	const struct sample *s = hit->sample;
	u8 mode = CPUMODE_UNKNOWN;
	u32 nr = 0;

	for (u64 i = 0; i < s->nr_callchain && nr < max; i++) {
		u64 ip = s->callchain[i];

		if (unlikely(ip >= CHAIN_CONTEXT_MAX)) {
			if (chain_marker_mode(ip, &mode))
				continue;
			diag_count(&w->diag, DIAG_BAD_CALLCHAIN, hit->whence.off);
			return 0;
		}
		frames[nr++] = likely(mode != CPUMODE_UNKNOWN) ? frame_lookup(w, c, &hit->whence, mode, ip) :
								frame_anywhere(w, c, &hit->whence, ip);
	}
	return nr;
}

/* the user half of a chain that was recorded as registers and stack bytes */
static u32 unwound_frames(struct count_worker *w, const struct count_ctx *c, const struct hit *hit, u32 *frames, u32 max)
{
	u64 ips[MAX_CHAIN];
	int nr;

	if (!w->unwind)
		w->unwind = unwind_new(c->session->world, c->session->symbols, session_machine(c->session));
	nr = unwind_dwarf(w->unwind, hit->sample, hit->whence.space, hit->whence.time, hit->whence.off, ips, max);
	for (int i = 0; i < nr; i++)
		frames[i] = frame_lookup(w, c, &hit->whence, CPUMODE_USER, ips[i]);
	return MAX(nr, 0);
}

/* --max-stack keeps the frames where the shown order begins: the outermost callers, or the innermost callees */
static u32 count_chain(struct count_worker *w, const struct count_ctx *c, const struct hit *hit)
{
	u32 frames[MAX_CHAIN], max = MIN(c->opts->max_stack, (u32)MAX_CHAIN);
	u32 nr = recorded_frames(w, c, hit, frames, MAX_CHAIN), skip;

	if (unwind_possible(hit->sample) && nr < MAX_CHAIN)
		nr += unwound_frames(w, c, hit, frames + nr, MAX_CHAIN - nr);
	skip = nr > max && c->opts->chain.caller ? nr - max : 0;
	return stack_add(&w->stacks, frames + skip, MIN(nr, max));
}

static void count_one(struct count_worker *w, const struct count_ctx *c, const struct rec *rec, const struct sample *s)
{
	const struct hist_opts *o = c->opts;
	struct hit hit = { .session = c->session, .sample = s };
	u64 key[ROW_FIXED_KEYS + HIST_MAX_KEYS], *sums;
	u32 nr = ROW_FIXED_KEYS, frame = 0, stack = 0;
	enum hit_verdict verdict = HIT_KEEP;

	hit.whence = locator_whence(&w->locator, c->session, s, rec);
	hit.comm = world_comm_id(c->session->world, hit.whence.thread, hit.whence.time, hit.whence.off);
	if (o->keep)
		verdict = o->keep(o->keep_ctx, &hit);
	if (verdict == HIT_DROP)
		return;
	w->total[s->event->idx].nr++;
	w->total[s->event->idx].period += s->period;
	if (verdict == HIT_HIDE)
		return;
	if (o->frames)
		frame = frame_lookup(w, c, &hit.whence, s->cpumode, s->ip);
	if (o->chains)
		stack = count_chain(w, c, &hit);
	key[0] = s->event->idx | (u64)frame << 32;
	key[1] = stack | (u64)s->cpumode << 32;
	for (u32 i = 0; i < o->nr_keys; i++)
		if (o->key[i]->kind == FIELD_SLOT)
			key[nr++] = o->key[i]->slot(&hit);
	sums = rows_sums(&w->rows, rows_get(&w->rows, key));
	sums[0]++;
	sums[1] += s->period;
	if (o->weights) {
		sums[2] += (u32)s->weight;
		sums[3] += s->ins_lat;
		sums[4] += s->p_stage_cyc;
	}
}

static void count_sample(struct count_worker *w, const struct count_ctx *c, const struct rec *rec)
{
	struct sample s;
	int ret = sample_decode(c->session->data->plan, rec, &s, &w->scratch), what;

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
		if (rec.type != REC_SAMPLE)
			continue;
		count_sample(w, c, &rec);
		arena_reset(&w->scratch);
	}
	data_dont_need(chunk->stream, chunk->off, chunk->end);
	if (c->opts->progress && !worker)
		c->opts->progress(i, c->session->chunks.nr);
}

static u32 nr_slots(const struct hist_opts *o)
{
	u32 nr = 0;

	for (u32 i = 0; i < o->nr_keys; i++)
		nr += o->key[i]->kind == FIELD_SLOT;
	return nr;
}

static void count_worker_init(struct count_worker *w, const struct session *s, const struct hist_opts *o)
{
	u32 nr_events = s->data->evset->ev.nr;

	locator_init(&w->locator, s->world);
	w->cache = xcalloc(1u << FRAME_CACHE_BITS, sizeof(*w->cache));
	for (u32 i = 0; i < 1u << FRAME_CACHE_BITS; i++)
		w->cache[i].from = UINT64_MAX;
	rows_init(&w->rows, ROW_FIXED_KEYS + nr_slots(o), o->weights ? HIST_NR_SUMS : 2);
	w->total = xcalloc(nr_events, sizeof(*w->total));
	stack_add(&w->stacks, NULL, 0);
}

void count_run(struct session *s, const struct hist_opts *opts, struct count_worker *workers)
{
	struct count_ctx c = { .session = s, .opts = opts, .workers = workers };

	for (unsigned int i = 0; i < pool_nr_workers(s->pool); i++)
		count_worker_init(&workers[i], s, opts);
	pool_run(s->pool, s->chunks.nr, count_chunk, &c);
	for (unsigned int i = 0; i < pool_nr_workers(s->pool); i++) {
		free(workers[i].cache);
		workers[i].cache = NULL;
	}
}

void count_worker_release(struct count_worker *w)
{
	locator_release(&w->locator);
	frames_release(&w->frames);
	free(w->cache);
	arena_release(&w->stacks.arena);
	vec_release(&w->stacks.stack);
	hidx_release(&w->stacks.idx);
	unwind_free(w->unwind);
	rows_release(&w->rows);
	free(w->total);
	free(w->frame_map);
	arena_release(&w->scratch);
}
