/*
 * --json=doc: one document. Its layout has a number, "version"; keys are only ever added within one version. It grows block by
 * block, so that intervals are written when they are over.
 */
#include "../base/json-out.h"
#include "out.h"

#include <math.h>

#define STAT_JSON_VERSION 1

struct writer {
	struct strbuf *out;
	bool first;
	int depth;
};

static void new_line(struct writer *w)
{
	strbuf_addstr(w->out, w->first ? "\n" : ",\n");
	strbuf_pad(w->out, ' ', 2 * w->depth);
	w->first = false;
}

static void key(struct writer *w, const char *name)
{
	strbuf_addstr(w->out, w->first ? "" : ", ");
	json_add_string(w->out, name);
	strbuf_addstr(w->out, ": ");
	w->first = false;
}

static void add_text(struct writer *w, const char *name, const char *value)
{
	key(w, name);
	json_add_string(w->out, value);
}

static void add_number(struct writer *w, const char *name, double value)
{
	key(w, name);
	json_add_double(w->out, value);
}

static void add_u64(struct writer *w, const char *name, u64 value)
{
	key(w, name);
	strbuf_addf(w->out, "%llu", (unsigned long long)value);
}

/* what is negative is not known and left out */
static void add_id(struct writer *w, const char *name, s64 value)
{
	if (value >= 0)
		add_u64(w, name, value);
}

static void add_place(struct writer *w, const struct aggr *aggr, const struct stat_line *l)
{
	const struct aggr_id *a = &aggr->id.v[l->id];
	const struct cpu_place *p = &a->place;
	struct strbuf name = STRBUF_INIT;

	stat_place_add(&name, aggr, l->id);
	if (name.len)
		add_text(w, "place", strbuf_str(&name));
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
		add_text(w, "comm", a->comm ? a->comm : "");
	}
	add_u64(w, "counters", l->nr);
}

static void add_value(struct writer *w, double value, bool known, const char *why)
{
	add_number(w, "value", known ? value : NAN);
	if (!known)
		add_text(w, "reason", why);
}

static void add_metrics(struct writer *w, const struct stat_block *b, const struct stat_line *l)
{
	static const char *const grades[] = { [STAT_PLAIN] = NULL, [STAT_GOOD] = "good", [STAT_BAD] = "bad" };

	key(w, "metrics");
	strbuf_addch(w->out, '[');
	for (u32 i = 0; i < l->nr_metrics; i++) {
		const struct stat_metric *m = &b->metric.v[l->metric + i];
		bool known = isfinite(m->value);

		strbuf_addstr(w->out, i ? ", {" : "{");
		w->first = true;
		add_text(w, "name", m->name && *m->name ? m->name : NULL);
		add_value(w, m->value, known, m->why ? m->why : "what it is derived from was not counted");
		add_text(w, "unit", m->unit ? m->unit : "");
		if (grades[m->grade])
			add_text(w, "threshold", grades[m->grade]);
		strbuf_addch(w->out, '}');
	}
	strbuf_addch(w->out, ']');
	w->first = false;
}

static void add_line(struct writer *w, const struct stat_block *b, const struct stat_line *l)
{
	static const char *const state[] = {
		[STAT_COUNTED] = "counted", [STAT_NOT_COUNTED] = "not counted", [STAT_NOT_SUPPORTED] = "not supported",
	};

	new_line(w);
	strbuf_addch(w->out, '{');
	w->first = true;
	if (l->event)
		add_text(w, "event", l->event);
	add_place(w, b->aggr, l);
	if (l->event) {
		add_text(w, "state", state[l->state]);
		add_value(w, l->value, l->state == STAT_COUNTED && isfinite(l->value), l->why ? l->why : state[l->state]);
		add_text(w, "unit", l->unit ? l->unit : "");
		if (l->cgroup)
			add_text(w, "cgroup", l->cgroup);
		if (l->stddev_percent >= 0)
			add_number(w, "deviation-percent", l->stddev_percent);
		add_u64(w, "run-ns", l->run_ns);
		add_number(w, "running-percent", l->running_percent);
	}
	if (l->nr_metrics)
		add_metrics(w, b, l);
	strbuf_addch(w->out, '}');
}

static void add_times(struct writer *w, const struct stat_block *b)
{
	static const char *const name[] = { "elapsed-sec", "user-sec", "sys-sec" };
	double value[] = { b->elapsed_sec, b->user_sec, b->sys_sec };

	if (b->interval && !b->summary)
		add_number(w, "time-sec", b->time_ns / 1e9);
	for (int i = 0; i < 3; i++)
		if (value[i] >= 0 && (!b->interval || b->summary))
			add_number(w, name[i], value[i]);
	if (b->nr_runs < 2)
		return;
	add_u64(w, "runs", b->nr_runs);
	add_number(w, "elapsed-deviation-sec", b->elapsed_stddev);
	if (!b->run_sec.nr)
		return;
	key(w, "run-sec");
	for (size_t i = 0; i < b->run_sec.nr; i++) {
		strbuf_addstr(w->out, i ? ", " : "[");
		json_add_double(w->out, b->run_sec.v[i]);
	}
	strbuf_addch(w->out, ']');
}

static void add_list(struct writer *w, const struct stat_block *b)
{
	new_line(w);
	strbuf_addstr(w->out, "\"counts\": [");
	w->first = true;
	w->depth++;
	vec_foreach(&b->line, l)
		add_line(w, b, l);
	w->depth--;
	strbuf_addch(w->out, ']');
	if (!b->note.nr)
		return;
	new_line(w);
	strbuf_addstr(w->out, "\"notes\": [");
	for (size_t i = 0; i < b->note.nr; i++) {
		strbuf_addstr(w->out, i ? ", " : "");
		json_add_string(w->out, b->note.v[i]);
	}
	strbuf_addch(w->out, ']');
}

static void add_head(struct strbuf *out, const struct stat_block *b)
{
	strbuf_addf(out, "{\n  \"version\": %d,\n  \"target\": ", STAT_JSON_VERSION);
	json_add_string(out, b->title);
	strbuf_addstr(out, ",\n  \"per\": ");
	json_add_string(out, stat_mode_name(b->aggr->mode)->key);
	strbuf_addstr(out, ",\n  \"blocks\": [");
}

void stat_out_json_doc(const struct stat_block *b, const struct stat_out_opts *o, struct stat_out_state *st, struct strbuf *out)
{
	struct writer w = { .out = out, .first = !st->nr_blocks, .depth = 2 };

	(void)o;
	if (!st->nr_blocks++)
		add_head(out, b);
	new_line(&w);
	strbuf_addch(out, '{');
	w.first = true;
	add_text(&w, "kind", b->summary ? "summary" : b->interval ? "interval" : "run");
	add_times(&w, b);
	w.depth++;
	add_list(&w, b);
	strbuf_addch(out, '}');
}

void stat_out_json_doc_end(struct stat_out_state *st, struct strbuf *out)
{
	if (!st->nr_blocks)
		strbuf_addf(out, "{\n  \"version\": %d,\n  \"blocks\": [", STAT_JSON_VERSION);
	strbuf_addstr(out, "]\n}\n");
}
