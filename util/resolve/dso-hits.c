/* Dso hits: one walk over the samples. */
#include "dso-hits.h"
#include "deferred.h"
#include "resolver.h"
#include "../base/progress.h"

static void mark(bool *hit, const struct loc *loc)
{
	if (loc->dso != ID_NONE)
		hit[loc->dso] = true;
}

static void mark_sample(struct resolver *r, const struct sample *sample, const struct rec *rec, bool *hit)
{
	struct sample_ctx ctx = locator_sample_ctx(&r->locator, r->session, sample, rec);
	struct frame_loc frames[RESOLVE_MAX_STACK];
	struct loc loc = locator_find(&r->locator, &ctx, sample->cpumode, sample->ip);
	size_t nr = chain_resolve(r, sample, &ctx, frames, ARRAY_SIZE(frames));

	mark(hit, &loc);
	for (size_t i = 0; i < nr; i++)
		mark(hit, &frames[i].loc);
}

bool *session_dso_hits(const struct session *s)
{
	bool *hit = xcalloc(machine_dsos(s->machine)->dso.nr + 1, sizeof(*hit));
	struct diag counted_before = { 0 };
	struct deferred *late = deferred_new(s);
	struct arena scratch = { 0 };
	struct resolver r;

	resolver_init(&r, s, &scratch);
	r.deferred = late;
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
				mark_sample(&r, &sample, &rec, hit);
			arena_reset(&scratch);
		}
	}
	resolver_release(&r);
	deferred_free(late);
	arena_release(&scratch);
	return hit;
}
