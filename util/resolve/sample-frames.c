/* Sample-frames: see sample-frames.h. */
#include "sample-frames.h"
#include "../event/record-type.h"

#include <stdlib.h>
#include "../base/pool.h"
#include "deferred.h"
#include "lookup.h"
#include "resolver.h"

/* frames of one chain: what the kernel may record, and more than is unwound by default */
#define CHAIN_MAX RESOLVE_MAX_UNWOUND

struct frames_worker {
	struct resolver resolver;
	struct arena scratch;
	struct frames frames;
	struct frame_loc *chain;	/* CHAIN_MAX */
} CACHE_ALIGNED;

struct frames_walk {
	const struct session *session;
	struct frames_worker *worker;
};

static void add(struct frames_worker *w, const struct loc *loc, bool caller)
{
	if (loc->dso != ID_NONE)
		frames_add(&w->frames, &(struct frame){ .dso = loc->dso, .cpumode = loc->cpumode,
							.caller = caller, .addr = loc->dso_addr });
}

static void add_at(struct frames_worker *w, const struct sample_ctx *ctx, u8 mode, u64 addr)
{
	struct loc loc = locator_find(&w->resolver.locator, ctx, mode, addr);

	add(w, &loc, false);
}

static void add_anywhere(struct frames_worker *w, const struct sample_ctx *ctx, u64 addr)
{
	add_at(w, ctx, chain_side(&w->resolver.locator, ctx, CPUMODE_UNKNOWN, addr), addr);
}

/* fields of 8 bytes are at multiples of 8 */
static void add_raw(struct frames_worker *w, const struct sample *s, const struct sample_ctx *ctx)
{
	const struct dsos *dsos = machine_dsos(w->resolver.session->machine);
	u64 value;

	for (u32 off = 0; off + sizeof(value) <= s->raw_size; off += sizeof(value)) {
		struct loc loc;
		const struct dso *d;

		memcpy(&value, (const u8 *)s->raw + off, sizeof(value));
		loc = value >> 63 ? locator_find(&w->resolver.locator, ctx, CPUMODE_KERNEL, value) :
				    (struct loc){ .dso = ID_NONE };
		d = dsos_at(dsos, loc.dso);
		if (d && (d->kind == DSO_KERNEL || d->kind == DSO_MODULE))
			add(w, &loc, false);
	}
}

static void add_sample(struct frames_worker *w, const struct sample *s, const struct rec *rec)
{
	struct sample_ctx ctx = locator_sample_ctx(&w->resolver.locator, w->resolver.session, s, rec);
	size_t nr = chain_resolve(&w->resolver, s, &ctx, w->chain, CHAIN_MAX);

	add_at(w, &ctx, s->cpumode, s->ip);
	for (size_t i = 0; i < nr; i++) {
		add(w, &w->chain[i].loc, w->chain[i].caller);
		/* a reader of the plain chain (plain-chain.h) takes unwound callers for return addresses */
		if (i && unwind_possible(s) && !w->chain[i].caller)
			add(w, &w->chain[i].loc, true);
	}
	if (s->addr)
		add_at(w, &ctx, s->cpumode, s->addr);
	for (u64 i = 0; i < s->nr_branches; i++) {
		add_anywhere(w, &ctx, s->branches[i].from);
		add_anywhere(w, &ctx, s->branches[i].to);
	}
	if (s->raw)
		add_raw(w, s, &ctx);
}

static void walk_chunk(void *arg, unsigned int worker, size_t i)
{
	struct frames_walk *walk = arg;
	const struct session *s = walk->session;
	const struct chunk *c = &s->chunks.v[i];
	struct frames_worker *w = &walk->worker[worker];
	struct diag counted_before = { 0 };
	struct rec_walk at = rec_walk_of(s->data, c->stream, c->off, c->end, &counted_before);
	struct sample sample;
	struct rec rec;

	while (rec_next(&at, &rec) > 0) {
		if (rec.type != REC_SAMPLE)
			continue;
		if (!sample_decode(s->data->plan, &rec, &sample, &w->scratch))
			add_sample(w, &sample, &rec);
		arena_reset(&w->scratch);
	}
}

static size_t merge(struct frames_worker *worker, unsigned int nr_workers, struct frame **ret)
{
	size_t nr = 0;
	struct frame *f;

	for (unsigned int i = 0; i < nr_workers; i++)
		nr += worker[i].frames.frame.nr;
	*ret = f = xreallocarray(NULL, nr + 1, sizeof(*f));
	nr = 0;
	for (unsigned int i = 0; i < nr_workers; i++) {
		size_t here = worker[i].frames.frame.nr;

		frames_move(&worker[i].frames, f + nr);
		nr += here;
	}
	return frames_sort(f, nr);
}

size_t session_sample_frames(const struct session *s, struct frame **ret)
{
	unsigned int nr_workers = pool_nr_workers(s->pool);
	struct frames_walk walk = { s, xcalloc_aligned(nr_workers, sizeof(*walk.worker)) };
	struct deferred *late = deferred_new(s);
	size_t nr;

	for (unsigned int i = 0; i < nr_workers; i++) {
		resolver_init(&walk.worker[i].resolver, s, &walk.worker[i].scratch);
		walk.worker[i].resolver.deferred = late;
		walk.worker[i].chain = xreallocarray(NULL, CHAIN_MAX, sizeof(*walk.worker[i].chain));
	}
	pool_run_shown(s->pool, "looking up samples", s->chunks.nr, walk_chunk, &walk);
	nr = merge(walk.worker, nr_workers, ret);
	for (unsigned int i = 0; i < nr_workers; i++) {
		struct frames_worker *w = &walk.worker[i];

		resolver_release(&w->resolver);
		arena_release(&w->scratch);
		frames_release(&w->frames);
		free(w->chain);
	}
	deferred_free(late);
	free(walk.worker);
	return nr;
}
