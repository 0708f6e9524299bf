/* Walk: see walk.h. */
#include "walk.h"

#include "../base/pool.h"

struct walker {
	const struct session *s;
	void (*look)(void *ctx, size_t i, const struct rec *rec, struct arena *scratch);
	void *ctx;
};

static void walk_chunk(void *arg, unsigned int worker, size_t i)
{
	const struct walker *w = arg;
	const struct chunk *chunk = &w->s->chunks.v[i];
	struct diag counted_elsewhere = { 0 };
	struct rec_walk walk = rec_walk_of(w->s->data, chunk->stream, chunk->off, chunk->end,
					   &counted_elsewhere);
	struct arena scratch = { 0 };
	struct rec rec;

	data_will_need(chunk->stream, chunk->off, chunk->end);
	while (rec_next(&walk, &rec) > 0) {
		arena_reset(&scratch);
		w->look(w->ctx, i, &rec, &scratch);
	}
	data_dont_need(chunk->stream, chunk->off, chunk->end);
	arena_release(&scratch);
}

void session_walk(const struct session *s, const char *title,
		  void (*look)(void *ctx, size_t i, const struct rec *rec, struct arena *scratch), void *ctx)
{
	struct walker w = { s, look, ctx };

	pool_run_shown(s->pool, title, s->chunks.nr, walk_chunk, &w);
}
