/*
 * JSON. Lines: one object each, with the keys and formats that upstream's newest has (counts are strings), except that what is
 * no number is null. The document: numbers are numbers, and what is null has its reason beside it.
 */
#include "../base/json-out.h"
#include "metric.h"
#include "out.h"

#include <math.h>

static const char *const grades[] = { [STAT_PLAIN] = NULL, [STAT_GOOD] = "good", [STAT_BAD] = "bad" };

/* upstream's objects have a blank in front of each colon, too */
struct json stat_json_writer(struct strbuf *out)
{
	return (struct json){ .out = out, .colon = " : " };
}

static void add_fixed(struct json *w, const char *key, double value, int decimals)
{
	json_key(w, key);
	stat_fixed_add(json_value(w), value, decimals);
}

void stat_json_quoted(struct json *w, const char *key, double value, int decimals)
{
	struct strbuf text = STRBUF_INIT;

	if (isfinite(value))
		stat_fixed_add(&text, value, decimals);
	json_key_string(w, key, text.len ? text.buf : NULL);
	strbuf_release(&text);
}

void stat_json_front(struct json *w, const struct stat_block *b, u32 id, u32 nr)
{
	const struct stat_mode_name *mode = stat_mode_name(b->aggr->mode);
	struct strbuf place = STRBUF_INIT;

	if (b->interval && !b->summary) {
		json_key(w, "interval");
		stat_time_add(json_value(w), b->time_ns);
	}
	if (mode->key) {
		bool cpu;

		stat_location_add(&place, b->aggr, id);
		/* a CPU is named by its number alone; an event of the term percore is a sum beside CPUs */
		cpu = b->aggr->mode == AGGR_NONE && !strncmp(strbuf_str(&place), "CPU", 3);
		json_key_string(w, b->aggr->mode == AGGR_NONE && !cpu ? "core" : mode->key, strbuf_str(&place) + (cpu ? 3 : 0));
		strbuf_release(&place);
	}
	if (mode->counters)
		json_key_u64(w, "counters", nr);
}

static void add_count(struct json *w, const struct stat_line *l, bool cgroups, bool repeated)
{
	if (l->state == STAT_COUNTED)
		stat_json_quoted(w, "counter-value", l->value, 6);
	else
		json_key_string(w, "counter-value", l->state == STAT_NOT_SUPPORTED ? "<not supported>" : "<not counted>");
	json_key_string(w, "unit", l->unit ? l->unit : "");
	json_key_string(w, "event", l->event);
	if (cgroups)
		json_key_string(w, "cgroup", l->cgroup ? l->cgroup : "");
	if (repeated)
		add_fixed(w, "variance", l->stddev_percent > 0 ? l->stddev_percent : 0, 2);
	json_key_u64(w, "event-runtime", l->run_ns);
	add_fixed(w, "pcnt-running", l->running_percent, 2);
}

static void add_metric(struct json *w, const struct stat_metric *m)
{
	struct strbuf label = STRBUF_INIT;

	stat_metric_label(m, true, &label);
	stat_json_quoted(w, "metric-value", m->value, 6);
	json_key_string(w, "metric-unit", strbuf_str(&label));
	if (grades[m->grade])
		json_key_string(w, "metric-threshold", grades[m->grade]);
	strbuf_release(&label);
}

void stat_out_json_lines(const struct stat_block *b, const struct stat_out_opts *o, struct stat_out_state *st, struct strbuf *out)
{
	bool cgroups = stat_has_cgroups(b), repeated = stat_is_repeated(b);
	struct json w = stat_json_writer(out);

	(void)o;
	st->nr_blocks++;
	vec_foreach(&b->line, l) {
		/* the first metric stands with its count, further ones have an object of their own */
		for (u32 i = 0; i < l->nr_metrics || (!i && l->event); i++) {
			json_begin_object(&w, JSON_COMPACT);
			stat_json_front(&w, b, l->id, l->nr);
			if (!i && l->event)
				add_count(&w, l, cgroups, repeated);
			if (i < l->nr_metrics)
				add_metric(&w, &b->metric.v[l->metric + i]);
			json_end(&w);
			strbuf_addch(out, '\n');
		}
	}
}
