/* Count symbols: see count-symbols.h. */
#include "count-symbols.h"

#include <stdlib.h>

#include "../sym/debuginfod.h"

#define CHUNKS_TO_LEARN 8	/* the file has this many times the chunks that tell what to load */

bool counts_by_symbol(const struct session *s, const struct hist_opts *o)
{
	if (!o->join_unnamed || !o->chains || o->history || symbols_fetch(s->symbols))
		return false;
	for (u32 i = 0; i < o->nr_keys; i++)
		if (o->key[i]->address != ADDRESS_NONE)
			return false;
	return s->chunks.nr / CHUNKS_TO_LEARN >= pool_nr_workers(s->pool);
}

/* nr chunks from all of the file first, then the others */
static u32 *chunks_to_learn_first(size_t nr_chunks, size_t nr)
{
	u32 *chunk = xreallocarray(NULL, nr_chunks, sizeof(*chunk));
	size_t first = 0, others = nr;

	for (size_t i = 0; i < nr_chunks; i++) {
		if (first < nr && i == first * nr_chunks / nr)
			chunk[first++] = i;
		else
			chunk[others++] = i;
	}
	return chunk;
}

static void load_symbols(struct session *s, struct count_worker *workers, struct symbol_frames *frames)
{
	u32 nr_dsos = machine_dsos(s->machine)->dso.nr, *nr = xcalloc(nr_dsos + 1, sizeof(*nr));
	unsigned int nr_workers = pool_nr_workers(s->pool);

	for (unsigned int i = 0; i < nr_workers; i++) {
		const struct frames *f = &workers[i].lookup.frames;

		for (size_t k = 0; k < f->frame.nr; k++)
			if (blocks_at(&f->frame, k)->dso < nr_dsos)
				nr[blocks_at(&f->frame, k)->dso]++;
	}
	symbol_frames_load(frames, s, nr);
	for (unsigned int i = 0; i < nr_workers; i++)
		lookup_by_symbol(&workers[i].lookup, frames, nr_dsos);
	free(nr);
}

void count_by_symbol(struct session *s, const struct hist_opts *o, struct count_worker *workers,
		     void (*count)(void *ctx, const u32 *chunk, size_t nr), void *ctx)
{
	struct symbol_frames frames = { .inlines = o->inlines };
	size_t nr = pool_nr_workers(s->pool);
	u32 *chunk = chunks_to_learn_first(s->chunks.nr, nr);

	if (hist_only_hits(o) && !symbols_are_stored(s->symbols))
		symbols_lend_names(s->symbols);
	count(ctx, chunk, nr);
	load_symbols(s, workers, &frames);
	count(ctx, chunk + nr, s->chunks.nr - nr);
	for (unsigned int i = 0; i < nr; i++)
		workers[i].lookup.symbols = NULL;
	symbol_frames_release(&frames);
	free(chunk);
}
