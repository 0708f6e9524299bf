/*
 * Columns: [time or "summary"] [place [counters]] value unit event [cgroup] [deviation] run-ns running-percent metric-value
 * metric-unit. What stands in brackets is there where the options make it so; then every line has it, further metrics too.
 */
#include "metric.h"
#include "out.h"

#include <math.h>

static const char *state_text(enum stat_state state)
{
	return state == STAT_NOT_SUPPORTED ? "<not supported>" : "<not counted>";
}

static void add_sep(struct strbuf *out, const struct stat_out_opts *o)
{
	strbuf_addstr(out, o->separator);
}

/* the columns that say when and where */
static void add_front(struct strbuf *out, const struct stat_block *b, const struct stat_out_opts *o, const struct stat_line *l)
{
	const struct stat_mode_name *mode = stat_mode_name(b->aggr->mode);
	struct strbuf place = STRBUF_INIT;

	if (b->summary && !o->no_csv_summary)
		strbuf_addstr(out, "summary");
	else if (b->interval)
		stat_time_add(out, b->time_ns);
	if (b->interval || (b->summary && !o->no_csv_summary))
		add_sep(out, o);
	if (mode->key) {
		stat_location_add(&place, b->aggr, l->id);
		stat_csv_field(out, o->separator, strbuf_str(&place));
		add_sep(out, o);
		strbuf_release(&place);
	}
	if (mode->counters) {
		strbuf_addf(out, "%u", l->nr);
		add_sep(out, o);
	}
}

static void add_header(struct strbuf *out, const struct stat_block *b, const struct stat_out_opts *o, bool cgroups, bool repeated)
{
	const struct stat_mode_name *mode = stat_mode_name(b->aggr->mode);
	const char *name[] = {
		b->interval || (b->summary && !o->no_csv_summary) ? "time" : NULL, mode->key, mode->counters ? "counters" : NULL,
		"value", "unit", "event", cgroups ? "cgroup" : NULL, repeated ? "deviation" : NULL, "run-ns", "running-percent",
		"metric-value", "metric-unit",
	};
	bool first = true;

	for (size_t i = 0; i < ARRAY_SIZE(name); i++) {
		if (!name[i])
			continue;
		if (!first)
			add_sep(out, o);
		stat_csv_field(out, o->separator, name[i]);
		first = false;
	}
	strbuf_addch(out, '\n');
}

static void add_count(struct strbuf *out, const struct stat_out_opts *o, const struct stat_line *l, bool cgroups, bool repeated)
{
	if (l->state == STAT_COUNTED)
		stat_fixed_add(out, l->value, l->fraction ? 2 : 0);
	else
		strbuf_addstr(out, state_text(l->state));
	add_sep(out, o);
	stat_csv_field(out, o->separator, l->unit ? l->unit : "");
	add_sep(out, o);
	stat_csv_field(out, o->separator, l->event);
	add_sep(out, o);
	if (cgroups) {
		stat_csv_field(out, o->separator, l->cgroup ? l->cgroup : "");
		add_sep(out, o);
	}
	if (repeated) {
		stat_fixed_add(out, l->stddev_percent > 0 ? l->stddev_percent : 0, 2);
		strbuf_addch(out, '%');
		add_sep(out, o);
	}
	strbuf_addf(out, "%llu", (unsigned long long)l->run_ns);
	add_sep(out, o);
	stat_fixed_add(out, l->running_percent, 2);
}

/* "" in the place of the columns of add_count() */
static void add_no_count(struct strbuf *out, const struct stat_out_opts *o, bool cgroups, bool repeated)
{
	for (int i = 0; i < 4 + cgroups + repeated; i++)
		add_sep(out, o);
}

static void add_metric(struct strbuf *out, const struct stat_out_opts *o, const struct stat_metric *m)
{
	struct strbuf label = STRBUF_INIT;

	add_sep(out, o);
	if (m && !isnan(m->value))
		stat_fixed_add(out, m->value, stat_metric_decimals(m));
	add_sep(out, o);
	if (m) {
		stat_metric_label(m, true, &label);
		stat_csv_field(out, o->separator, strbuf_str(&label));
		strbuf_release(&label);
	}
	strbuf_addch(out, '\n');
}

void stat_out_csv(const struct stat_block *b, const struct stat_out_opts *o, struct stat_out_state *st, struct strbuf *out)
{
	bool cgroups = stat_has_cgroups(b), repeated = stat_is_repeated(b);

	if (o->csv_header && !st->nr_blocks)
		add_header(out, b, o, cgroups, repeated);
	st->nr_blocks++;
	vec_foreach(&b->line, l) {
		const struct stat_metric *m = b->metric.v + l->metric;
		u32 nr = l->nr_metrics;

		if (l->event) {
			add_front(out, b, o, l);
			add_count(out, o, l, cgroups, repeated);
			add_metric(out, o, nr ? m : NULL);
			m += nr > 0;
			nr -= nr > 0;
		}
		for (; nr; nr--, m++) {
			add_front(out, b, o, l);
			add_no_count(out, o, cgroups, repeated);
			add_metric(out, o, m);
		}
	}
}
