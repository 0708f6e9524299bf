/*
 * Lines as separated values. Columns: [time or "summary"] [place [counters]] value unit event [cgroup]
 * [deviation] run-ns running-percent metric-value metric-unit. Columns in brackets exist if options ask for
 * them, then in every line, also in those of further derived values. A table of derived values has a column
 * for each, and each field is followed by a separator, the last one too, as upstream writes them.
 */
#include "lines.h"

#include <math.h>
#include <string.h>

/* one field, in quotes where it holds the separator or a quote */
static void add_field(struct strbuf *out, const struct lines_opts *o, const char *text)
{
	struct strbuf safe = STRBUF_INIT;
	const char *p;

	strbuf_add_safe(&safe, text);
	p = strbuf_str(&safe);
	if (!strchr(p, '"') && !(*o->separator && strstr(p, o->separator))) {
		strbuf_addstr(out, p);
	} else {
		strbuf_addch(out, '"');
		for (; *p; p++)
			strbuf_addstr(out, *p == '"' ? "\"\"" : (char[]){ *p, '\0' });
		strbuf_addch(out, '"');
	}
	strbuf_release(&safe);
}

static void add_sep(struct strbuf *out, const struct lines_opts *o)
{
	strbuf_addstr(out, o->separator);
}

static void add_word(struct strbuf *out, const struct lines_opts *o, const char *word)
{
	add_field(out, o, word);
	add_sep(out, o);
}

/* a column that says when: the time of an interval, or that it is a summary */
static bool has_time(const struct view_block *b, const struct lines_opts *o)
{
	return b->kind == VIEW_INTERVAL || (b->kind == VIEW_SUMMARY && !o->plain_summary);
}

/* the columns that say when and where */
static void add_front(struct strbuf *out, const struct view_block *b, const struct lines_opts *o,
		      const struct view_line *l)
{
	if (has_time(b, o)) {
		if (b->kind == VIEW_SUMMARY)
			strbuf_addstr(out, "summary");
		else
			lines_time(out, b->time_ns);
		add_sep(out, o);
	}
	if (b->places->axis->key)
		add_word(out, o, lines_place(b, l));
	if (b->places->axis->counters) {
		strbuf_add_u64(out, l->nr, 0);
		add_sep(out, o);
	}
}

static void add_titles(struct strbuf *out, const struct view_block *b, const struct lines_opts *o,
		       bool cgroups, bool repeated)
{
	const struct view_axis *axis = b->places->axis;
	const char *name[] = {
		has_time(b, o) ? "time" : NULL, axis->key, axis->counters ? "counters" : NULL,
		"value", "unit", "event", cgroups ? "cgroup" : NULL, repeated ? "deviation" : NULL, "run-ns",
		"running-percent",
		"metric-value",
	};

	for (size_t i = 0; i < ARRAY_SIZE(name); i++)
		if (name[i])
			add_word(out, o, name[i]);
	add_field(out, o, "metric-unit");
	strbuf_addch(out, '\n');
}

static void add_count(struct strbuf *out, const struct lines_opts *o, const struct view_line *l, bool cgroups,
		      bool repeated)
{
	if (l->state == VIEW_COUNTED)
		lines_fixed(out, l->value.real, l->value.decimals);
	else
		strbuf_addf(out, "<%s>", lines_state_name(l->state));
	add_sep(out, o);
	add_word(out, o, l->unit ? l->unit : "");
	add_word(out, o, l->name);
	if (cgroups)
		add_word(out, o, l->group ? l->group : "");
	if (repeated) {
		lines_fixed(out, l->deviation > 0 ? l->deviation : 0, 2);
		strbuf_addch(out, '%');
		add_sep(out, o);
	}
	strbuf_add_u64(out, l->run_ns, 0);
	add_sep(out, o);
	lines_fixed(out, l->running_percent, 2);
}

/* "" in the place of the columns of add_count() */
static void add_no_count(struct strbuf *out, const struct lines_opts *o, bool cgroups, bool repeated)
{
	for (int i = 0; i < 4 + cgroups + repeated; i++)
		add_sep(out, o);
}

static void add_derived(struct strbuf *out, const struct lines_opts *o, const struct view_derived *d)
{
	struct strbuf label = STRBUF_INIT;

	add_sep(out, o);
	if (d && d->value.type == VIEW_REAL)
		lines_fixed(out, d->value.real, d->value.decimals);
	add_sep(out, o);
	if (d) {
		view_derived_label(d, true, &label);
		add_field(out, o, strbuf_str(&label));
		strbuf_release(&label);
	}
	strbuf_addch(out, '\n');
}

static void add_line(struct strbuf *out, const struct view_block *b, const struct lines_opts *o,
		     const struct view_line *l, bool cgroups, bool repeated)
{
	const struct view_derived *d = b->derived.v + l->derived;
	u32 nr = l->nr_derived;

	if (l->name) {
		add_front(out, b, o, l);
		add_count(out, o, l, cgroups, repeated);
		add_derived(out, o, nr ? d : NULL);
		d += nr > 0;
		nr -= nr > 0;
	}
	for (; nr; nr--, d++) {
		add_front(out, b, o, l);
		add_no_count(out, o, cgroups, repeated);
		add_derived(out, o, d);
	}
}

/* ---- a table of derived values ---- */

static void add_table_titles(struct strbuf *h, const struct view_block *b, const struct lines_opts *o,
			     bool cgroups)
{
	const struct view_axis *axis = b->places->axis;
	const char *name[] = { has_time(b, o) ? "time" : NULL, axis->key, axis->counters ? "ctrs" : NULL,
			       cgroups ? "cgroup" : NULL };

	for (size_t i = 0; i < ARRAY_SIZE(name); i++)
		if (name[i])
			add_word(h, o, name[i]);
	vec_foreach(&b->table->column, c)
		add_word(h, o, c->title);
}

static void add_table_row(struct strbuf *out, const struct view_block *b, const struct lines_opts *o,
			  size_t row, bool cgroups)
{
	const struct view_line *l = &b->line.v[row];

	add_front(out, b, o, l);
	if (cgroups)
		add_word(out, o, l->group ? l->group : "");
	for (u32 i = 0; i < b->table->column.nr; i++) {
		struct view_value v = lines_cell(b, row, i);

		if (view_value_known(&v))
			lines_fixed(out, v.real, v.decimals);
		add_sep(out, o);
	}
	strbuf_addch(out, '\n');
}

static void add_table(struct strbuf *out, const struct view_block *b, const struct lines_opts *o,
		      struct lines_state *st)
{
	struct strbuf header = STRBUF_INIT;
	bool cgroups = view_block_grouped(b);

	if (b->table->nr_rows) {
		add_table_titles(&header, b, o, cgroups);
		lines_header(out, st, &header);
	}
	for (size_t r = 0; r < b->table->nr_rows; r++)
		add_table_row(out, b, o, r, cgroups);
}

void separated_lines(const struct view_block *b, const struct lines_opts *o, struct lines_state *st,
		     struct strbuf *out)
{
	bool cgroups = view_block_grouped(b), repeated = view_block_repeated(b);
	bool first = !st->nr_blocks++;

	if (b->table) {
		add_table(out, b, o, st);
		return;
	}
	if (o->titles && first)
		add_titles(out, b, o, cgroups, repeated);
	vec_foreach(&b->line, l)
		add_line(out, b, o, l, cgroups, repeated);
}
