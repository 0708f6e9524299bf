/* Dso hits: one walk over the samples. */
#include "dso-hits.h"
#include "resolve.h"
#include "../base/progress.h"
#include "../unwind/unwind.h"

static void mark(bool *hit, const struct loc *loc)
{
	if (loc->dso != WORLD_NONE)
		hit[loc->dso] = true;
}

/* callers that only registers and stack bytes tell of */
static void mark_unwound(const struct session *s, struct unwind *u, const struct sample *sample, const struct whence *w, bool *hit)
{
	u64 ips[RESOLVE_MAX_STACK];
	int nr = unwind_dwarf(u, sample, w->space, w->time, w->off, ips, ARRAY_SIZE(ips));

	for (int i = 0; i < nr; i++) {
		struct loc loc = world_locate(s->world, w->space, CPUMODE_USER, ips[i], w->time, w->off);

		mark(hit, &loc);
	}
}

static void mark_sample(const struct session *s, struct locator *l, struct unwind *u, const struct sample *sample,
			const struct rec *rec, bool *hit)
{
	struct whence w = session_whence(s, sample, rec);
	struct frame_loc frames[RESOLVE_MAX_STACK];
	struct loc loc = resolve_ip(l, sample, &w);
	size_t nr = chain_resolve(l, sample, &w, frames, ARRAY_SIZE(frames), NULL);

	mark(hit, &loc);
	for (size_t i = 0; i < nr; i++)
		mark(hit, &frames[i].loc);
	if (unwind_possible(sample))
		mark_unwound(s, u, sample, &w, hit);
}

bool *session_dso_hits(const struct session *s)
{
	bool *hit = xcalloc(world_dsos(s->world)->dso.nr + 1, sizeof(*hit));
	struct diag counted_before = { 0 };
	struct arena scratch = { 0 };
	struct locator l;
	struct unwind *u = unwind_new(s->world, s->symbols, session_machine(s));

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
				mark_sample(s, &l, u, &sample, &rec, hit);
			arena_reset(&scratch);
		}
	}
	locator_release(&l);
	unwind_free(u);
	arena_release(&scratch);
	return hit;
}
