/*
 * Lines as JSON: one object each, with the keys and formats that upstream's newest has (counts are
 * strings), except that a value that is not a number is null. A table of derived values is an object for
 * each row, with a key for each column.
 */
#include "lines.h"

#include <math.h>
#include <string.h>

static void add_fixed(struct json *w, const char *key, double value, int decimals)
{
	json_key(w, key);
	lines_fixed(json_value(w), value, decimals);
}

/* a number in quotes, null where it is none */
static void add_quoted(struct json *w, const char *key, const struct view_value *v, int decimals)
{
	struct strbuf text = STRBUF_INIT;

	if (view_value_known(v))
		lines_fixed(&text, v->real, decimals);
	json_key_string(w, key, text.len ? text.buf : NULL);
	strbuf_release(&text);
}

/* the keys of an object that say when and where */
static void add_front(struct json *w, const struct view_block *b, const struct view_line *l)
{
	const struct view_axis *axis = b->places->axis;
	const struct view_place *p = &b->places->v[l->place];

	if (b->kind == VIEW_INTERVAL) {
		json_key(w, "interval");
		lines_time(json_value(w), b->time_ns);
	}
	/* a CPU is named by its number alone; an event of the term percore is a sum beside CPUs */
	if (axis->key && p->key)
		json_key_string(w, p->key, p->name);
	else if (axis->key)
		json_key_string(w, axis->key, p->name + (strcmp(axis->key, "cpu") ? 0 : p->number_at));
	if (axis->counters)
		json_key_u64(w, "counters", l->nr);
}

static void add_count(struct json *w, const struct view_line *l, bool cgroups, bool repeated)
{
	struct strbuf absent = STRBUF_INIT;

	if (l->state == VIEW_COUNTED) {
		add_quoted(w, "counter-value", &l->value, 6);
	} else {
		strbuf_addf(&absent, "<%s>", lines_state_name(l->state));
		json_key_string(w, "counter-value", absent.buf);
		strbuf_release(&absent);
	}
	json_key_string(w, "unit", l->unit ? l->unit : "");
	json_key_string(w, "event", l->name);
	if (cgroups)
		json_key_string(w, "cgroup", l->group ? l->group : "");
	if (repeated)
		add_fixed(w, "variance", l->deviation > 0 ? l->deviation : 0, 2);
	json_key_u64(w, "event-runtime", l->run_ns);
	add_fixed(w, "pcnt-running", l->running_percent, 2);
}

static void add_derived(struct json *w, const struct view_derived *d)
{
	const char *grade = lines_grade_name(d->grade);
	struct strbuf label = STRBUF_INIT;

	view_derived_label(d, true, &label);
	add_quoted(w, "metric-value", &d->value, 6);
	json_key_string(w, "metric-unit", strbuf_str(&label));
	if (grade)
		json_key_string(w, "metric-threshold", grade);
	strbuf_release(&label);
}

static void end_line(struct json *w)
{
	json_end(w);
	strbuf_addch(w->out, '\n');
}

static void add_table(struct json *w, const struct view_block *b)
{
	bool cgroups = view_block_grouped(b);

	for (size_t r = 0; r < b->table->nr_rows; r++) {
		const struct view_line *l = &b->line.v[r];

		json_begin_object(w, JSON_COMPACT);
		add_front(w, b, l);
		if (cgroups)
			json_key_string(w, "cgroup", l->group ? l->group : "");
		for (u32 i = 0; i < b->table->column.nr; i++) {
			struct view_value v = lines_cell(b, r, i);

			add_quoted(w, b->table->column.v[i].name, &v, v.decimals);
		}
		end_line(w);
	}
}

void json_line_objects(const struct view_block *b, const struct lines_opts *o, struct lines_state *st,
		       struct strbuf *out)
{
	bool cgroups = view_block_grouped(b), repeated = view_block_repeated(b);
	/* upstream's objects have a blank before each colon, too */
	struct json w = { .out = out, .colon = " : " };

	(void)o;
	st->nr_blocks++;
	if (b->table) {
		add_table(&w, b);
		return;
	}
	vec_foreach(&b->line, l) {
		/* the first derived value stands with its count, further ones have an object of their own */
		for (u32 i = 0; i < l->nr_derived || (!i && l->name); i++) {
			json_begin_object(&w, JSON_COMPACT);
			add_front(&w, b, l);
			if (!i && l->name)
				add_count(&w, l, cgroups, repeated);
			if (i < l->nr_derived)
				add_derived(&w, &b->derived.v[l->derived + i]);
			end_line(&w);
		}
	}
}
