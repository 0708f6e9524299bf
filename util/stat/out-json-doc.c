/*
 * --json=doc: one document. Its layout has a number, "version"; keys are only ever added within one version. It grows block by
 * block, so that intervals are written when they are over.
 */
#include "../base/json-out.h"
#include "out.h"

#include <math.h>

#define STAT_JSON_VERSION 1

/* what is negative is not known and left out */
static void add_id(struct json *w, const char *name, s64 value)
{
	if (value >= 0)
		json_key_u64(w, name, value);
}

static void add_place(struct json *w, const struct aggr *aggr, const struct stat_line *l)
{
	const struct aggr_id *a = &aggr->id.v[l->id];
	const struct cpu_location *p = &a->place;
	struct strbuf name = STRBUF_INIT;

	stat_location_add(&name, aggr, l->id);
	if (name.len)
		json_key_string(w, "place", strbuf_str(&name));
	strbuf_release(&name);
	if (aggr->mode != AGGR_GLOBAL && aggr->mode != AGGR_THREAD) {
		add_id(w, "socket", p->socket);
		add_id(w, "die", p->die);
		add_id(w, "cluster", p->cluster);
		add_id(w, "core", p->core);
		add_id(w, "node", p->node);
		add_id(w, "cpu", p->cpu);
	}
	if (aggr->mode == AGGR_CACHE) {
		add_id(w, "cache-level", p->cache_level);
		add_id(w, "cache", p->cache);
	}
	if (aggr->mode == AGGR_THREAD) {
		add_id(w, "tid", a->tid);
		json_key_string(w, "comm", a->comm ? a->comm : "");
	}
	json_key_u64(w, "counters", l->nr);
}

static void add_value(struct json *w, double value, bool known, const char *why)
{
	json_key_double(w, "value", known ? value : NAN);
	if (!known)
		json_key_string(w, "reason", why);
}

static void add_metrics(struct json *w, const struct stat_block *b, const struct stat_line *l)
{
	static const char *const grades[] = { [STAT_PLAIN] = NULL, [STAT_GOOD] = "good", [STAT_BAD] = "bad" };

	json_key(w, "metrics");
	json_begin_array(w, JSON_COMPACT);
	for (u32 i = 0; i < l->nr_metrics; i++) {
		const struct stat_metric *m = &b->metric.v[l->metric + i];
		bool known = isfinite(m->value);

		json_begin_object(w, JSON_COMPACT);
		json_key_string(w, "name", m->name && *m->name ? m->name : NULL);
		add_value(w, m->value, known, m->why ? m->why : "the events it is derived from were not counted");
		json_key_string(w, "unit", m->unit ? m->unit : "");
		if (grades[m->grade])
			json_key_string(w, "threshold", grades[m->grade]);
		json_end(w);
	}
	json_end(w);
}

static void add_line(struct json *w, const struct stat_block *b, const struct stat_line *l)
{
	static const char *const state[] = {
		[STAT_COUNTED] = "counted", [STAT_NOT_COUNTED] = "not counted", [STAT_NOT_SUPPORTED] = "not supported",
	};

	json_begin_object(w, JSON_COMPACT);
	if (l->event)
		json_key_string(w, "event", l->event);
	add_place(w, b->aggr, l);
	if (l->event) {
		json_key_string(w, "state", state[l->state]);
		add_value(w, l->value, l->state == STAT_COUNTED && isfinite(l->value), l->why ? l->why : state[l->state]);
		json_key_string(w, "unit", l->unit ? l->unit : "");
		if (l->cgroup)
			json_key_string(w, "cgroup", l->cgroup);
		if (l->stddev_percent >= 0)
			json_key_double(w, "deviation-percent", l->stddev_percent);
		json_key_u64(w, "run-ns", l->run_ns);
		json_key_double(w, "running-percent", l->running_percent);
	}
	if (l->nr_metrics)
		add_metrics(w, b, l);
	json_end(w);
}

static void add_times(struct json *w, const struct stat_block *b)
{
	static const char *const name[] = { "elapsed-sec", "user-sec", "sys-sec" };
	double value[] = { b->elapsed_sec, b->user_sec, b->sys_sec };

	if (b->interval && !b->summary)
		json_key_double(w, "time-sec", b->time_ns / 1e9);
	for (int i = 0; i < 3; i++)
		if (value[i] >= 0 && (!b->interval || b->summary))
			json_key_double(w, name[i], value[i]);
	if (b->nr_runs < 2)
		return;
	json_key_u64(w, "runs", b->nr_runs);
	json_key_double(w, "elapsed-deviation-sec", b->elapsed_stddev);
	if (!b->run_sec.nr)
		return;
	json_key(w, "run-sec");
	json_begin_array(w, JSON_COMPACT);
	vec_foreach(&b->run_sec, sec)
		json_double(w, *sec);
	json_end(w);
}

static void add_list(struct json *w, const struct stat_block *b)
{
	json_break(w);
	json_key(w, "counts");
	json_begin_array(w, JSON_HANGING);
	vec_foreach(&b->line, l)
		add_line(w, b, l);
	json_end(w);
	if (!b->note.nr)
		return;
	json_break(w);
	json_key(w, "notes");
	json_begin_array(w, JSON_COMPACT);
	vec_foreach(&b->note, note)
		json_string(w, *note);
	json_end(w);
}

/* b: the first block, or NULL where there is none */
static void begin_document(struct json *w, const struct stat_block *b)
{
	json_begin_object(w, JSON_LINES);
	json_key_u64(w, "version", STAT_JSON_VERSION);
	if (b) {
		json_key_string(w, "target", b->title);
		json_key_string(w, "per", stat_mode_name(b->aggr->mode)->key);
	}
	json_key(w, "blocks");
	json_begin_array(w, JSON_HANGING);
}

void stat_out_json_doc(const struct stat_block *b, const struct stat_out_opts *o, struct stat_out_state *st, struct strbuf *out)
{
	struct json *w = &st->json;

	(void)o;
	w->out = out;
	if (!st->nr_blocks++)
		begin_document(w, b);
	json_begin_object(w, JSON_COMPACT);
	json_key_string(w, "kind", b->summary ? "summary" : b->interval ? "interval" : "run");
	add_times(w, b);
	add_list(w, b);
	json_end(w);
}

void stat_out_json_doc_end(struct stat_out_state *st, struct strbuf *out)
{
	struct json *w = &st->json;

	w->out = out;
	if (!st->nr_blocks)
		begin_document(w, NULL);
	json_end(w);
	json_end(w);
	strbuf_addch(out, '\n');
}
