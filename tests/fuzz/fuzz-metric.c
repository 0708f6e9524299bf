/*
 * Fuzz target: a table of metrics, a line each (name, groups, expression, threshold, unit; tabs between):
 * planned, and derived from made-up counts.
 */
#include <stdlib.h>
#include <string.h>
#include "../../util/base/fs.h"
#include "../../util/pmu/event-table.h"
#include "../../util/pmu/parse-events.h"
#include "../../util/stat/metric-list.h"
#include "../../util/stat/metric.h"

#define METRICS_MAX 200

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* the next word of a line; tabs end words */
static const char *word(char **p)
{
	char *s = *p ? *p : "";

	if (*p)
		strsep(p, "\t");
	return s;
}

static void derive(const struct stat_metrics *m, const struct evset *set, size_t seed)
{
	struct tallies t = { .nr_events = set->ev.nr, .nr_ids = 1,
			     .v = xcalloc(set->ev.nr, sizeof(struct tally)) };
	struct stat_values v = { .tallies = &t, .elapsed_ns = 1e9, .user_ns = -1, .system_ns = -1 };
	struct stat_derive *d = stat_derive_new(set, m, NULL);
	struct view_block b = { 0 };

	for (u32 i = 0; i < t.nr_events; i++)
		t.v[i] = (struct tally){ .event = i, .nr = 1, .ena = 1, .run = (seed + i) % 5,
					 .scaled = (seed + i) % 3,
					 .state = (seed + i) % 7 ? COUNT_READ : COUNT_UNSUPPORTED };
	for (u32 i = 0; i < t.nr_events; i++) {
		struct view_line line = { 0 };

		stat_derive_add(d, &v, i, 0, &b, &line);
		for (u32 k = 0; k < line.nr_derived; k++) {
			const struct view_derived *sm = &b.derived.v[line.derived + k];
			struct strbuf label = STRBUF_INIT;

			view_derived_label(sm, seed & 1, &label);
			for (size_t n = 0; n < label.len; n++)
				if ((unsigned char)label.buf[n] < ' ')
					abort();
			strbuf_release(&label);
		}
	}
	vec_release(&b.derived);
	arena_release(&b.arena);
	stat_derive_free(d);
	free(t.v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stat_metrics_opts o = { .list = "*", .no_group = size & 1, .no_merge = size & 2,
				       .no_threshold = size & 4 };
	const struct parse_events_opts parse = { .no_tracefs = true };
	struct event_table table = { .dir = NULL };
	char *text = strndup((const char *)data, size), *p = text, *line;
	struct evset *set = evset_new();
	struct stat_metrics *m;
	struct err err = ERR_INIT;

	fs_set_root("/nonexistent");
	setenv("PERF_EVENT_TABLES", "/nonexistent", 1);
	while (table.metric.nr < METRICS_MAX && (line = strsep(&p, "\n"))) {
		struct table_metric row = { .desc = "", .long_desc = "", .constraint = "", .pmu = "" };

		row.name = word(&line);
		row.groups = word(&line);
		row.expr = word(&line);
		row.threshold = word(&line);
		row.scale_unit = word(&line);
		vec_push(&table.metric, row);
	}
	o.table = &table;
	o.parse = &parse;
	if (!stat_metrics_plan(&m, set, &o, &err))
		derive(m, set, size);
	else if (!err.code || !err.msg[0])
		abort();
	stat_metrics_free(m);
	evset_free(set);
	vec_release(&table.metric);
	free(text);
	return 0;
}
