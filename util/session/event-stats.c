/* Event stats: see event-stats.h. */
#include "event-stats.h"
#include "session-private.h"
#include "reads.h"
#include "../base/cursor.h"
#include "../event/record-type.h"

#include <stdlib.h>

/* counts one sample for its event, or one for each member of its group that counted */
static void count_sample(const struct session *s, const struct rec *r, struct event_stats *stats,
			 struct arena *scratch)
{
	const struct event *ev = sample_event(s->data->plan, r);
	struct sample sample;
	int what;

	arena_reset(scratch);
	if (!s->reads || sample_decode(s->data->plan, r, &sample, scratch) || !sample.nr_reads) {
		stats[ev ? ev->idx : s->data->evset->ev.nr].nr_samples++;
		return;
	}
	for (u32 i = 0; (what = session_read(s, r, i, &sample)) >= 0; i++)
		if (what)
			stats[sample.event->idx].nr_samples++;
}

static void count_lost(struct event_stats *stats, const struct rec *r)
{
	struct cursor c = cursor_of(r->p + 8, r->size - 8, r->swap);
	u64 *nr = r->misc & MISC_LOST_BY_BPF ? &stats->nr_filtered : &stats->nr_lost;

	*nr += cursor_u64(&c);
}

struct event_stats *event_stats_count(const struct session *s)
{
	size_t nr = s->data->evset->ev.nr;
	struct event_stats *stats = xcalloc(nr + 1, sizeof(*stats));
	struct diag ignored = { 0 };
	struct arena scratch = { 0 };

	for (size_t i = 0; i < nr; i++)
		stats[i].name = evset_at(s->data->evset, i)->name;
	for (size_t i = 0; i < s->data->stream.nr; i++) {
		const struct data_stream *st = &s->data->stream.v[i];
		struct rec_walk walk = rec_walk_of(s->data, st, st->start, st->end, &ignored);
		struct window win = { .stream = st, .start = st->start };
		const struct event *ev;
		struct rec r;

		while (rec_next(&walk, &r)) {
			window_at(&win, r.off);
			if (r.type != REC_SAMPLE && r.type != REC_LOST_SAMPLES)
				continue;
			if (r.type == REC_SAMPLE) {
				count_sample(s, &r, stats, &scratch);
			} else {
				ev = sample_event(s->data->plan, &r);
				count_lost(&stats[ev ? ev->idx : nr], &r);
			}
		}
		data_dont_need(st, win.start, st->end);
	}
	arena_release(&scratch);
	return stats;
}
