/* Dso hits: walks over the samples. */
#include "dso-hits.h"
#include "deferred.h"
#include "resolver.h"
#include "../base/progress.h"
#include "../base/sort.h"
#include "../event/record-type.h"

#include <stdlib.h>

static void mark(bool *hit, const struct loc *loc)
{
	if (loc->dso != ID_NONE)
		hit[loc->dso] = true;
}

static void mark_sample(struct resolver *r, const struct sample *sample, const struct rec *rec, void *ctx)
{
	struct sample_ctx at = locator_sample_ctx(&r->locator, r->session, sample, rec);
	struct frame_loc frames[RESOLVE_MAX_STACK];
	struct loc loc = locator_find(&r->locator, &at, sample->cpumode, sample->ip);
	bool *hit = ctx;
	size_t nr = chain_resolve(r, sample, &at, frames, ARRAY_SIZE(frames));

	mark(hit, &loc);
	for (size_t i = 0; i < nr; i++)
		mark(hit, &frames[i].loc);
}

static void count_sample(struct resolver *r, const struct sample *sample, const struct rec *rec, void *ctx)
{
	struct sample_ctx at = locator_sample_ctx(&r->locator, r->session, sample, rec);
	struct loc loc = locator_find(&r->locator, &at, sample->cpumode, sample->ip);
	u64 *nr = ctx;

	if (loc.dso != ID_NONE)
		nr[loc.dso]++;
}

static void walk(const struct session *s, void (*fn)(struct resolver *, const struct sample *,
						     const struct rec *, void *), void *ctx)
{
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
				fn(&r, &sample, &rec, ctx);
			arena_reset(&scratch);
		}
	}
	resolver_release(&r);
	deferred_free(late);
	arena_release(&scratch);
}

bool *session_dso_hits(const struct session *s)
{
	bool *hit = xcalloc(machine_dsos(s->machine)->dso.nr + 1, sizeof(*hit));

	walk(s, mark_sample, hit);
	return hit;
}

u32 *session_dsos_by_samples(const struct session *s, u32 *ret_nr)
{
	size_t nr = machine_dsos(s->machine)->dso.nr, k = 0;
	struct sort_pair *pair = xcalloc(2 * nr + 1, sizeof(*pair));
	u64 *samples = xcalloc(nr + 1, sizeof(*samples));
	u32 *ids = xcalloc(nr + 1, sizeof(*ids));

	walk(s, count_sample, samples);
	for (u32 d = 0; d < nr; d++)
		pair[d] = (struct sort_pair){ UINT64_MAX - samples[d], d };
	sort_pairs(pair, pair + nr, nr);
	for (; k < nr && pair[k].key < UINT64_MAX; k++)
		ids[k] = pair[k].val;
	*ret_nr = k;
	free(samples);
	free(pair);
	return ids;
}
