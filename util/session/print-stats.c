/* report --stats */
#include "print.h"
#include "session-private.h"
#include "reads.h"
#include "values.h"
#include "../base/cursor.h"
#include "../event/record.h"

#include <stdlib.h>

struct event_stats {
	const char *name;
	u64 nr_samples, nr_lost, nr_filtered;
};

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

/* one sum per event; the last one is for samples without event */
static struct event_stats *count_events(const struct session *s)
{
	size_t nr = s->data->evset->ev.nr;
	struct event_stats *stats = xcalloc(nr + 1, sizeof(*stats));
	struct diag ignored = { 0 };
	struct arena scratch = { 0 };

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

static void print_line(struct strbuf *out, const char *name, u64 nr, u64 total)
{
	strbuf_addf(out, "%20s events: %10lu", name, nr);
	if (total)
		strbuf_addf(out, "  (%4.1f%%)", 100.0 * nr / total);
	strbuf_addch(out, '\n');
}

void session_print_stats(const struct session *s, bool lost, struct strbuf *out)
{
	struct event_stats *stats = count_events(s);
	u64 total = 0;

	for (u32 t = 0; t < REC_TYPE_MAX; t++)
		total += s->nr_records[t];
	strbuf_addstr(out, "\nAggregated stats:\n");
	print_line(out, "TOTAL", total, 0);
	for (u32 t = 1; t < REC_TYPE_MAX; t++)
		if (s->nr_records[t] && record_name(t))
			print_line(out, record_name(t), s->nr_records[t], total);
	for (size_t i = 0; i < s->data->evset->ev.nr; i++) {
		if (!stats[i].nr_samples && !(lost && stats[i].nr_lost + stats[i].nr_filtered))
			continue;
		strbuf_add_safe(out, s->data->evset->ev.v[i]->name);
		strbuf_addstr(out, " stats:\n");
		if (stats[i].nr_samples)
			print_line(out, "SAMPLE", stats[i].nr_samples, 0);
		if (lost && stats[i].nr_lost)
			print_line(out, "LOST_SAMPLES", stats[i].nr_lost, 0);
		if (lost && stats[i].nr_filtered)
			print_line(out, "LOST_SAMPLES (BPF)", stats[i].nr_filtered, 0);
	}
	free(stats);
}

static const char *stats_name(const void *row) { return ((const struct event_stats *)row)->name; }
static u64 stats_samples(const void *row) { return ((const struct event_stats *)row)->nr_samples; }
static u64 stats_lost(const void *row) { return ((const struct event_stats *)row)->nr_lost; }
static u64 stats_filtered(const void *row) { return ((const struct event_stats *)row)->nr_filtered; }

static const struct view_field record_fields[] = {
	{ VIEW_NAME("record", "Record", VIEW_TEXT, 0), .text = stats_name },
	{ VIEW_COUNT("count", "Count", VIEW_NUMBER, 0), .number = stats_samples },
};
static const struct view_field sample_fields[] = {
	{ VIEW_NAME("event", "Event", VIEW_TEXT, 0), .text = stats_name },
	{ VIEW_COUNT("samples", "Samples", VIEW_NUMBER, 0), .number = stats_samples },
	{ VIEW_COUNT("lost-samples", "Lost Samples", VIEW_NUMBER, 0), .number = stats_lost },
	{ VIEW_COUNT("filtered-samples", "Filtered Samples", VIEW_NUMBER, 0), .number = stats_filtered },
};

void session_add_stats(const struct session *s, struct view *v)
{
	struct event_stats *records = xcalloc(REC_TYPE_MAX, sizeof(*records)), *samples = count_events(s);
	size_t nr = 0;

	for (u32 t = 1; t < REC_TYPE_MAX; t++)
		if (s->nr_records[t] && record_name(t))
			records[nr++] = (struct event_stats){ .name = record_name(t),
							      .nr_samples = s->nr_records[t] };
	for (size_t i = 0; i < s->data->evset->ev.nr; i++)
		samples[i].name = s->data->evset->ev.v[i]->name;
	session_add_values(v, "stats", "records", record_fields, ARRAY_SIZE(record_fields), records, nr,
			   sizeof(*records));
	session_add_values(v, "stats", "samples", sample_fields, ARRAY_SIZE(sample_fields), samples,
			   s->data->evset->ev.nr, sizeof(*samples));
}
