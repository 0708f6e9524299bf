/* Merging frames: see merge-frames.h. */
#include "merge-frames.h"

#include <stdlib.h>
#include "../session/session.h"

/*
 * Makes one table of the frames of all workers. A task takes the frames of every worker whose hashes are in
 * its part into a table of its own; the parts are then concatenated.
 */
struct merge {
	struct hist *h;
	struct count_worker *workers;
	u32 nr_workers, bits;
	u8 **part_of;		/* by worker and frame */
	struct merge_part {
		struct frames frames;
	} CACHE_ALIGNED *part;
	u32 *first;		/* id of the first frame of each part */
};

/* prefetches the slots for frames some steps ahead */
static void prefetch_ahead(const struct frames *into, const struct frames *own, const u8 *part_of,
			   size_t part, u32 n)
{
	const struct frame *f;

	if (n + 16 < own->frame.nr && part_of[n + 16] == part) {
		f = blocks_at(&own->frame, n + 16);
		frames_prefetch_slot(into, frame_hash(f->dso, f->addr));
	}
	if (n + 8 < own->frame.nr && part_of[n + 8] == part) {
		f = blocks_at(&own->frame, n + 8);
		frames_prefetch(into, frame_hash(f->dso, f->addr));
	}
}

static void merge_part(void *arg, unsigned int worker, size_t part)
{
	struct merge *m = arg;
	struct frames *into = &m->part[part].frames;
	u64 nr = 0;

	for (u32 i = 0; i < m->nr_workers; i++)
		nr += m->workers[i].lookup.frames.frame.nr;
	frames_reserve(into, nr >> m->bits);
	for (u32 i = 0; i < m->nr_workers; i++) {
		const struct frames *own = &m->workers[i].lookup.frames;
		const u8 *part_of = m->part_of[i];
		u32 *map = m->workers[i].frame_map;

		for (u32 n = 0; n < own->frame.nr; n++) {
			const struct frame *f = blocks_at(&own->frame, n);

			prefetch_ahead(into, own, part_of, part, n);
			if (part_of[n] == part)
				map[n] = frames_add(into, f);
		}
	}
}

static void take_merged(void *arg, unsigned int worker, size_t part)
{
	struct merge *m = arg;
	struct frames *from = &m->part[part].frames;

	frames_move(from, m->h->names.frame.v + m->first[part]);
}

static void number_merged(void *arg, unsigned int worker, size_t i)
{
	struct merge *m = arg;
	const struct frames *own = &m->workers[i].lookup.frames;
	u32 *map = m->workers[i].frame_map;

	for (u32 n = 0; n < own->frame.nr; n++)
		map[n] += m->first[m->part_of[i][n]];
	free(m->part_of[i]);
	frames_release(&m->workers[i].lookup.frames);
}

static void note_dsos(struct count_worker *w, const struct frames *own)
{
	w->frame_dso = xreallocarray(NULL, own->frame.nr + 1, sizeof(u32));
	for (u32 n = 0; n < own->frame.nr; n++) {
		const struct frame *f = blocks_at(&own->frame, n);

		w->frame_dso[n] = f->cpumode == CPUMODE_USER ? f->dso : ID_NONE;
	}
}

static void prepare_own(void *arg, unsigned int worker, size_t i)
{
	struct merge *m = arg;
	struct frames *own = &m->workers[i].lookup.frames;

	hidx_release(&own->idx);
	m->workers[i].nr_frames = own->frame.nr;
	m->workers[i].frame_map = xreallocarray(NULL, own->frame.nr + 1, sizeof(u32));
	if (m->h->opts.chains && m->h->opts.max_stack >= FP_MIN_STACK)
		note_dsos(&m->workers[i], own);
	if (!m->part_of)
		return;
	m->part_of[i] = xmalloc(own->frame.nr + 1);
	for (u32 n = 0; n < own->frame.nr; n++)
		m->part_of[i][n] = frame_part(blocks_at(&own->frame, n)->dso, blocks_at(&own->frame, n)->addr,
					      m->bits);
}

/* reserves room for this many frames; inlined functions will follow them: unused room costs nothing */
static void make_room(struct names *n, u32 nr)
{
	vec_reserve(&n->frame, nr + nr / 2 + 1);
	n->frame.nr = nr;
}

void frames_merge(struct hist *h, struct count_worker *workers)
{
	struct pool *pool = h->session->pool;
	u32 nr_workers = pool_nr_workers(pool);
	struct merge m = { .h = h, .workers = workers, .nr_workers = nr_workers, .bits = hist_part_bits(h) };
	u32 nr_parts = 1u << m.bits, nr = 0;

	m.part_of = nr_workers > 1 ? xcalloc(nr_workers, sizeof(*m.part_of)) : NULL;
	pool_run(pool, nr_workers, prepare_own, &m);
	if (nr_workers == 1) {	/* its ids do not change */
		nr = workers->lookup.frames.frame.nr;
		make_room(&h->names, nr);
		for (u32 n = 0; n < nr; n++)
			workers->frame_map[n] = n;
		frames_move(&workers->lookup.frames, h->names.frame.v);
		return;
	}
	m.part = xcalloc_aligned(nr_parts, sizeof(*m.part));
	m.first = xcalloc(nr_parts, sizeof(*m.first));
	pool_run(pool, nr_parts, merge_part, &m);
	for (u32 p = 0; p < nr_parts; p++) {
		m.first[p] = nr;
		nr += m.part[p].frames.frame.nr;
	}
	make_room(&h->names, nr);
	pool_run(pool, nr_parts, take_merged, &m);
	pool_run(pool, nr_workers, number_merged, &m);
	free(m.part_of);
	free(m.part);
	free(m.first);
}
