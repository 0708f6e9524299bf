/* report --stats: the number of records of each type, and of samples of each event. */
#include "contents.h"
#include "table.h"

#include <stdlib.h>
#include "../event/record.h"
#include "../session/event-stats.h"

static void print_line(struct strbuf *out, const char *name, u64 nr, u64 total)
{
	strbuf_addf(out, "%20s events: %10lu", name, nr);
	if (total)
		strbuf_addf(out, "  (%4.1f%%)", 100.0 * nr / total);
	strbuf_addch(out, '\n');
}

void contents_print_stats(const struct session *s, bool lost, struct strbuf *out)
{
	struct event_stats *stats = event_stats_count(s);
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

void contents_add_stats(const struct session *s, struct view *v)
{
	struct event_stats *records = xcalloc(REC_TYPE_MAX, sizeof(*records));
	struct event_stats *samples = event_stats_count(s);
	size_t nr = 0;

	for (u32 t = 1; t < REC_TYPE_MAX; t++)
		if (s->nr_records[t] && record_name(t))
			records[nr++] = (struct event_stats){ .name = record_name(t),
							      .nr_samples = s->nr_records[t] };
	contents_add_table(v, "stats", "records", record_fields, ARRAY_SIZE(record_fields), records, nr,
			   sizeof(*records));
	contents_add_table(v, "stats", "samples", sample_fields, ARRAY_SIZE(sample_fields), samples,
			   s->data->evset->ev.nr, sizeof(*samples));
}
