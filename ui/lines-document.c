/*
 * Lines as one JSON document. Numbers are numbers, and what is null has its reason beside it. Its layout
 * has a number, "version"; keys are only ever added within one version. It grows block by block, so that
 * intervals are written when they are over.
 */
#include "lines.h"

#include <math.h>

#define LINES_JSON_VERSION 1

static void add_place(struct json *w, const struct view_block *b, const struct view_line *l)
{
	const struct view_place *p = &b->places->v[l->place];

	if (*p->name)
		json_key_string(w, "place", p->name);
	vec_foreach(&p->fact, f) {
		if (f->value.type == VIEW_TEXT)
			json_key_string(w, f->key, f->value.text);
		else
			json_key_u64(w, f->key, f->value.number);
	}
	json_key_u64(w, "counters", l->nr);
}

static void add_value(struct json *w, const struct view_value *v, const char *why)
{
	bool known = view_value_known(v);

	json_key_double(w, "value", known ? v->real : NAN);
	if (!known)
		json_key_string(w, "reason", v->type == VIEW_ABSENT && v->text ? v->text : why);
}

static void add_derived(struct json *w, const struct view_block *b, const struct view_line *l)
{
	json_key(w, "metrics");
	json_begin_array(w, JSON_COMPACT);
	for (u32 i = 0; i < l->nr_derived; i++) {
		const struct view_derived *d = &b->derived.v[l->derived + i];
		const char *grade = lines_grade_name(d->grade);

		json_begin_object(w, JSON_COMPACT);
		json_key_string(w, "name", d->name && *d->name ? d->name : NULL);
		add_value(w, &d->value, "the events it is derived from were not counted");
		json_key_string(w, "unit", d->unit ? d->unit : "");
		if (grade)
			json_key_string(w, "threshold", grade);
		json_end(w);
	}
	json_end(w);
}

static void add_line(struct json *w, const struct view_block *b, const struct view_line *l)
{
	json_begin_object(w, JSON_COMPACT);
	if (l->name)
		json_key_string(w, "event", l->name);
	add_place(w, b, l);
	if (l->name) {
		json_key_string(w, "state", lines_state_name(l->state));
		add_value(w, &l->value, lines_state_name(l->state));
		json_key_string(w, "unit", l->unit ? l->unit : "");
		if (l->group)
			json_key_string(w, "cgroup", l->group);
		if (l->deviation >= 0)
			json_key_double(w, "deviation-percent", l->deviation);
		json_key_u64(w, "run-ns", l->run_ns);
		json_key_double(w, "running-percent", l->running_percent);
	}
	if (l->nr_derived)
		add_derived(w, b, l);
	json_end(w);
}

static void add_times(struct json *w, const struct view_block *b)
{
	static const char *const name[] = { "elapsed-sec", "user-sec", "sys-sec" };
	double value[] = { b->elapsed_sec, b->user_sec, b->sys_sec };

	if (b->kind == VIEW_INTERVAL)
		json_key_double(w, "time-sec", b->time_ns / 1e9);
	for (int i = 0; i < 3; i++)
		if (value[i] >= 0 && b->kind != VIEW_INTERVAL)
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

static void add_list(struct json *w, const struct view_block *b)
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

/* b: the first block; NULL: there is no block */
static void begin_document(struct json *w, const struct view_block *b)
{
	json_begin_object(w, JSON_LINES);
	json_key_u64(w, "version", LINES_JSON_VERSION);
	if (b) {
		json_key_string(w, "target", b->title);
		json_key_string(w, "per", b->places->axis->key);
	}
	json_key(w, "blocks");
	json_begin_array(w, JSON_HANGING);
}

void json_lines(const struct view_block *b, const struct lines_opts *o, struct lines_state *st,
		struct strbuf *out)
{
	static const char *const kinds[] = { [VIEW_RUN] = "run", [VIEW_INTERVAL] = "interval",
					     [VIEW_SUMMARY] = "summary" };
	struct json *w = &st->json;

	(void)o;
	w->out = out;
	if (!st->nr_blocks++)
		begin_document(w, b);
	json_begin_object(w, JSON_COMPACT);
	json_key_string(w, "kind", kinds[b->kind]);
	add_times(w, b);
	add_list(w, b);
	json_end(w);
}

void json_lines_end(struct lines_state *st, struct strbuf *out)
{
	struct json *w = &st->json;

	w->out = out;
	if (!st->nr_blocks)
		begin_document(w, NULL);
	json_end(w);
	json_end(w);
	strbuf_addch(out, '\n');
}
