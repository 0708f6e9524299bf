/* Dso hits: one walk over the samples. */
#include "dso-hits.h"
#include "resolve.h"
#include "../base/progress.h"

static void mark(bool *hit, const struct loc *loc)
{
	if (loc->dso != WORLD_NONE)
		hit[loc->dso] = true;
}

static void mark_sample(const struct session *s, struct locator *l, const struct sample *sample, const struct rec *rec, bool *hit)
{
	struct whence w = session_whence(s, sample, rec);
	struct frame_loc frames[RESOLVE_MAX_STACK];
	struct loc loc = resolve_ip(l, sample, &w);
	size_t nr = chain_resolve(l, sample, &w, frames, ARRAY_SIZE(frames), NULL);

	mark(hit, &loc);
	for (size_t i = 0; i < nr; i++)
		mark(hit, &frames[i].loc);
}

bool *session_dso_hits(const struct session *s)
{
	bool *hit = xcalloc(world_dsos(s->world)->dso.nr + 1, sizeof(*hit));
	struct diag counted_before = { 0 };
	struct arena scratch = { 0 };
	struct locator l;

	locator_init(&l, s->world);
	vec_foreach(&s->data->stream, stream) {
		struct rec_walk w = rec_walk_of(s->data, stream, stream->start, stream->end, &counted_before);
		struct sample sample;
		struct rec rec;

		progress_at("looking up samples");
		while (rec_next(&w, &rec) > 0) {
			progress_count(rec.off - stream->start, stream->end - stream->start);
			if (rec.type != REC_SAMPLE)
				continue;
			if (!sample_decode(s->data->plan, &rec, &sample, &scratch))
				mark_sample(s, &l, &sample, &rec, hit);
			arena_reset(&scratch);
		}
	}
	locator_release(&l);
	arena_release(&scratch);
	return hit;
}
