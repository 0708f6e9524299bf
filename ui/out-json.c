/*
 * JSON: a view as one document. Its layout has a number, "version"; within one version keys are only added.
 * Written row by row, so that memory does not grow with the document. Described in perf-report(1).
 */
#include "format.h"

#include <errno.h>
#include <string.h>
#include "json-value.h"

#define VIEW_JSON_VERSION 1
#define DRAIN_AT 65536u

struct json_printer {
	struct json w;
	struct strbuf out, scratch, key;
	bool graphs;
	FILE *file;
};

static void drain(struct json_printer *p, size_t keep)
{
	if (p->out.len > keep) {
		fwrite(p->out.buf, 1, p->out.len, p->file);
		strbuf_reset(&p->out);
	}
}

static void add_value(struct json *w, const struct view_value *v)
{
	json_write_value(w, v, JSON_COMPACT);
}

void json_add_facts(struct json *w, const struct view_facts *facts)
{
	vec_foreach(facts, f) {
		json_key(w, f->key);
		add_value(w, &f->value);
	}
}

static void add_summary(struct json *w, const struct view_summary *b)
{
	json_key(w, b->key);
	json_begin_object(w, JSON_LINES);
	vec_foreach(&b->words, i) {
		json_key(w, i->key);
		add_value(w, &i->value);
	}
	json_end(w);
}

static void add_texts(struct json *w, const char *key, const char *const *text, size_t nr)
{
	json_key(w, key);
	json_begin_array(w, JSON_COMPACT);
	for (size_t i = 0; i < nr; i++)
		json_string(w, text[i]);
	json_end(w);
}

static void add_columns(struct json *w, const struct view_table *t)
{
	json_key(w, "columns");
	json_begin_array(w, JSON_HANGING);
	vec_foreach(&t->column, c) {
		json_begin_object(w, JSON_COMPACT);
		json_key_string(w, "key", c->name);
		json_key_string(w, "title", c->title + strspn(c->title, " "));
		json_key_string(w, "type", json_type_name(c->type));
		if (c->type == VIEW_SHARE || c->unit)
			json_key_string(w, "unit", c->unit ? c->unit : "percent");
		json_end(w);
	}
	json_end(w);
}

/* the text of a cell without the blanks that line it up */
static void text_value(struct json_printer *p, const struct view_table *t, size_t row, u32 column,
		       struct view_value *ret)
{
	t->cell(t, row, column, &p->scratch);
	while (p->scratch.len && p->scratch.buf[p->scratch.len - 1] == ' ')
		strbuf_setlen(&p->scratch, p->scratch.len - 1);
	ret->type = VIEW_TEXT;
	ret->text = strbuf_str(&p->scratch) + strspn(strbuf_str(&p->scratch), " ");
}

static void cell_value(struct json_printer *p, const struct view_table *t, size_t row, u32 column, u32 member,
		       struct view_value *ret)
{
	strbuf_reset(&p->scratch);
	if (t->value)
		t->value(t, row, column, member, &p->scratch, ret);
	else
		text_value(p, t, row, column, ret);
}

/* what is absent is null, and why stands beside it */
static void add_cell(struct json_printer *p, const struct view_table *t, size_t row, u32 column)
{
	const struct view_column *c = &t->column.v[column];
	struct view_value value;

	json_key(&p->w, c->name);
	if (c->each_member) {
		json_begin_array(&p->w, JSON_COMPACT);
		for (u32 m = 0; m < t->member.nr; m++) {
			cell_value(p, t, row, column, m, &value);
			add_value(&p->w, &value);
		}
		json_end(&p->w);
		return;
	}
	cell_value(p, t, row, column, 0, &value);
	add_value(&p->w, &value);
	if (value.type != VIEW_ABSENT)
		return;
	strbuf_reset(&p->key);
	strbuf_addf(&p->key, "%s-reason", c->name);
	json_key_string(&p->w, p->key.buf, value.text);
}

static void add_nodes(struct json_printer *p, const char *key, const struct view_node *parent)
{
	struct json *w = &p->w;

	json_key(w, key);
	json_begin_array(w, JSON_COMPACT);
	vec_foreach(&parent->child, child) {
		const struct view_node *n = *child;

		json_begin_object(w, JSON_COMPACT);
		json_key_string(w, "name", n->label);
		if (n->note)
			json_key_string(w, "note", n->note);
		json_key_u64(w, "period", n->period);
		if (n->nr)
			json_key_u64(w, "samples", n->nr);
		json_key_u64(w, "self-period", n->self_period);
		if (n->nr)
			json_key_u64(w, "self-samples", n->self_nr);
		if (n->child.nr)
			add_nodes(p, "children", n);
		json_end(w);
	}
	json_end(w);
	drain(p, DRAIN_AT);
}

static void begin_row(struct json_printer *p, const struct view_table *t, size_t row)
{
	u32 keys = t->column.nr - t->nr_levels;

	json_begin_object(&p->w, JSON_COMPACT);
	for (u32 i = 0; i < t->column.nr; i++)
		if (!t->nr_levels || i < keys || i == keys + t->level[row].depth)
			add_cell(p, t, row, i);
	if (p->graphs && t->tree && t->tree[row])
		add_nodes(p, "callgraph", t->tree[row]);
}

/* until depth rows are open: the last one, and those that it is inside of with their arrays */
static u32 end_rows(struct json *w, u32 open, u32 depth)
{
	if (open > depth) {
		json_end(w);
		open--;
	}
	for (; open > depth; open--) {
		json_end(w);
		json_end(w);
	}
	return open;
}

/* a row stays open until it is known that no row of the next level follows */
static void add_rows(struct json_printer *p, const struct view_table *t)
{
	u32 open = 0;

	json_key(&p->w, "rows");
	json_begin_array(&p->w, JSON_HANGING);
	for (size_t r = 0; r < t->nr_rows && !ferror(p->file); r++) {
		u32 depth = t->nr_levels ? t->level[r].depth : 0;

		/* a remark stands in place of rows that are left out */
		if (t->nr_levels && t->level[r].note)
			continue;
		if (open && depth == open) {
			json_key(&p->w, "rows");
			json_begin_array(&p->w, JSON_HANGING);
		}
		open = end_rows(&p->w, open, depth) + 1;
		begin_row(p, t, r);
		drain(p, DRAIN_AT);
	}
	end_rows(&p->w, open, 0);
	json_end(&p->w);
}

static void add_table(struct json_printer *p, const struct view_table *t)
{
	json_begin_object(&p->w, JSON_LINES);
	if (t->name)
		json_key_string(&p->w, "name", t->name);
	else
		add_texts(&p->w, "names", t->member.v, t->member.nr);
	json_add_facts(&p->w, &t->fact);
	add_columns(&p->w, t);
	add_rows(p, t);
	json_end(&p->w);
}

/* an array for each section */
static void add_tables(struct json_printer *p, const struct view *v)
{
	const char *section = v->tables ? v->tables : "events";

	json_key(&p->w, section);
	json_begin_array(&p->w, JSON_LINES);
	vec_foreach(&v->table, t) {
		if ((*t)->section && strcmp((*t)->section, section)) {
			section = (*t)->section;
			json_end(&p->w);
			json_key(&p->w, section);
			json_begin_array(&p->w, JSON_LINES);
		}
		add_table(p, *t);
	}
	json_end(&p->w);
}

int json_show(const struct view *v, const struct text_opts *o, FILE *out)
{
	struct json_printer p = { .file = out, .graphs = o->graph != GRAPH_NONE };

	p.w.out = &p.out;
	json_begin_object(&p.w, JSON_LINES);
	json_key_string(&p.w, "perf", v->name);
	json_key_u64(&p.w, "version", VIEW_JSON_VERSION);
	json_key(&p.w, "header");
	json_begin_object(&p.w, JSON_LINES);
	json_add_facts(&p.w, &v->fact);
	json_end(&p.w);
	add_tables(&p, v);
	vec_foreach(&v->summary, b)
		add_summary(&p.w, *b);
	add_texts(&p.w, "notes", v->note.v, v->note.nr);
	json_end(&p.w);
	strbuf_addch(&p.out, '\n');
	drain(&p, 0);
	json_release(&p.w);
	strbuf_release(&p.out);
	strbuf_release(&p.scratch);
	strbuf_release(&p.key);
	if (fflush(out) || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
