/*
 * JSON. Lines: one object each, with the keys and formats that upstream's newest has (counts are strings), except that what is
 * no number is null. The document: numbers are numbers, and what is null has its reason beside it.
 */
#include "../base/json-out.h"
#include "metric.h"
#include "out.h"

#include <math.h>

static const char *const grades[] = { [STAT_PLAIN] = NULL, [STAT_GOOD] = "good", [STAT_BAD] = "bad" };

/* "key" : in front of a value, with what separates it from the one before */
static void add_key(struct strbuf *out, bool *first, const char *key)
{
	strbuf_addstr(out, *first ? "" : ", ");
	json_add_string(out, key);
	strbuf_addstr(out, " : ");
	*first = false;
}

void stat_json_str(struct strbuf *out, bool *first, const char *key, const char *value)
{
	add_key(out, first, key);
	json_add_string(out, value);
}

static void add_fixed(struct strbuf *out, bool *first, const char *key, double value, int decimals)
{
	add_key(out, first, key);
	stat_fixed_add(out, value, decimals);
}

void stat_json_quoted(struct strbuf *out, bool *first, const char *key, double value, int decimals)
{
	add_key(out, first, key);
	if (!isfinite(value)) {
		strbuf_addstr(out, "null");
		return;
	}
	strbuf_addch(out, '"');
	stat_fixed_add(out, value, decimals);
	strbuf_addch(out, '"');
}

void stat_json_front(struct strbuf *out, bool *first, const struct stat_block *b, u32 id, u32 nr)
{
	const struct stat_mode_name *mode = stat_mode_name(b->aggr->mode);
	struct strbuf place = STRBUF_INIT;

	if (b->interval && !b->summary) {
		add_key(out, first, "interval");
		stat_time_add(out, b->time_ns);
	}
	if (mode->key) {
		bool cpu;

		stat_place_add(&place, b->aggr, id);
		/* a CPU is named by its number alone; an event of the term percore is a sum beside CPUs */
		cpu = b->aggr->mode == AGGR_NONE && !strncmp(strbuf_str(&place), "CPU", 3);
		stat_json_str(out, first, b->aggr->mode == AGGR_NONE && !cpu ? "core" : mode->key, strbuf_str(&place) + (cpu ? 3 : 0));
		strbuf_release(&place);
	}
	if (mode->counters) {
		add_key(out, first, "counters");
		strbuf_addf(out, "%u", nr);
	}
}

static void add_count(struct strbuf *out, bool *first, const struct stat_line *l, bool cgroups, bool repeated)
{
	if (l->state == STAT_COUNTED)
		stat_json_quoted(out, first, "counter-value", l->value, 6);
	else
		stat_json_str(out, first, "counter-value", l->state == STAT_NOT_SUPPORTED ? "<not supported>" : "<not counted>");
	stat_json_str(out, first, "unit", l->unit ? l->unit : "");
	stat_json_str(out, first, "event", l->event);
	if (cgroups)
		stat_json_str(out, first, "cgroup", l->cgroup ? l->cgroup : "");
	if (repeated)
		add_fixed(out, first, "variance", l->stddev_percent > 0 ? l->stddev_percent : 0, 2);
	add_key(out, first, "event-runtime");
	strbuf_addf(out, "%llu", (unsigned long long)l->run_ns);
	add_fixed(out, first, "pcnt-running", l->running_percent, 2);
}

static void add_metric(struct strbuf *out, bool *first, const struct stat_metric *m)
{
	struct strbuf label = STRBUF_INIT;

	stat_metric_label(m, true, &label);
	stat_json_quoted(out, first, "metric-value", m->value, 6);
	stat_json_str(out, first, "metric-unit", strbuf_str(&label));
	if (grades[m->grade])
		stat_json_str(out, first, "metric-threshold", grades[m->grade]);
	strbuf_release(&label);
}

void stat_out_json_lines(const struct stat_block *b, const struct stat_out_opts *o, struct stat_out_state *st, struct strbuf *out)
{
	bool cgroups = stat_has_cgroups(b), repeated = stat_is_repeated(b);

	(void)o;
	st->nr_blocks++;
	vec_foreach(&b->line, l) {
		/* the first metric stands with its count, further ones have an object of their own */
		for (u32 i = 0; i < l->nr_metrics || (!i && l->event); i++) {
			bool first = true;

			strbuf_addch(out, '{');
			stat_json_front(out, &first, b, l->id, l->nr);
			if (!i && l->event)
				add_count(out, &first, l, cgroups, repeated);
			if (i < l->nr_metrics)
				add_metric(out, &first, &b->metric.v[l->metric + i]);
			strbuf_addstr(out, "}\n");
		}
	}
}
