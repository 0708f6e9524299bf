/*
 * --metric-only: a row for each aggregate and cgroup, a column for each metric. Every row has every column, whatever was
 * counted there, so that a column keeps its meaning.
 */
#include "../base/json-out.h"
#include "metric.h"
#include "out.h"

#include <math.h>

#define COLUMN_WIDTH 20
#define TIME_WIDTH 16
#define COUNTERS_WIDTH 8

/* a metric of an event; NULL for one by name, which is a column by itself wherever it stands */
struct only_column {
	char *label;
	const char *event;
};

struct only_cell {
	u32 column;
	double value;		/* in the column's unit */
	int decimals;
};

struct only_row {
	const struct stat_line *line;	/* the first one of this aggregate and cgroup */
	u32 nr;				/* most counters that a line of it has */
	struct { VEC(struct only_cell); } cell;
};

struct only_table {
	struct { VEC(struct only_column); } column;
	struct { VEC(struct only_row); } row;
	bool cgroups, time;
	size_t place_width, cgroup_width;
};

/* units that go with the size of a number; a column has one for all its rows */
static const struct only_unit {
	const char *unit, *column;
	double factor;
} units[] = {
	{ "K/sec", "/sec", 1e3 }, { "M/sec", "/sec", 1e6 }, { "G/sec", "/sec", 1e9 },
	{ "MHz", "GHz", 1e-3 }, { "kHz", "GHz", 1e-6 }, { "Hz", "GHz", 1e-9 },
};

static const struct only_unit *unit_of(const struct stat_metric *m)
{
	for (size_t i = 0; i < ARRAY_SIZE(units) && !m->by_name; i++)
		if (!strcmp(units[i].unit, m->unit))
			return &units[i];
	return NULL;
}

/* rates and shares say nothing without their event: "page-faults/sec", "branch-misses of all branches" */
static void column_label(const struct stat_line *l, const struct stat_metric *m, struct strbuf *out)
{
	const struct only_unit *u = unit_of(m);
	struct stat_metric same = *m;
	bool rate, share;

	if (u)
		same.unit = u->column;
	rate = !m->by_name && !strcmp(same.unit, "/sec");
	share = !m->by_name && !strncmp(m->name, "of all", 6);
	if ((rate || share) && l->event)
		strbuf_addf(out, "%s%s", l->event, share ? " " : "");
	stat_metric_label(&same, true, out);
}

static u32 column_of(struct only_table *t, const struct stat_line *l, const struct stat_metric *m)
{
	const char *event = m->by_name ? NULL : l->event;
	struct strbuf label = STRBUF_INIT;

	column_label(l, m, &label);
	for (u32 i = 0; i < t->column.nr; i++) {
		const struct only_column *c = &t->column.v[i];

		if (strcmp(c->label, strbuf_str(&label)) || strcmp(c->event ? c->event : "", event ? event : ""))
			continue;
		strbuf_release(&label);
		return i;
	}
	vec_push(&t->column, (struct only_column){ strbuf_detach(&label), event });
	return t->column.nr - 1;
}

/* two events with the same kind of metric: each is named */
static void tell_apart(struct only_table *t)
{
	for (u32 i = 0; i < t->column.nr; i++) {
		struct only_column *c = &t->column.v[i];
		struct strbuf label = STRBUF_INIT;
		bool twice = false;

		for (u32 k = i + 1; k < t->column.nr && c->event; k++) {
			struct only_column *other = &t->column.v[k];

			if (!other->event || strcmp(other->label, c->label))
				continue;
			twice = true;
			strbuf_addf(&label, "%s %s", other->event, other->label);
			free(other->label);
			other->label = strbuf_detach(&label);
		}
		if (!twice)
			continue;
		strbuf_addf(&label, "%s %s", c->event, c->label);
		free(c->label);
		c->label = strbuf_detach(&label);
	}
}

static bool same_cgroup(const struct stat_line *a, const struct stat_line *b)
{
	return !strcmp(a->cgroup ? a->cgroup : "", b->cgroup ? b->cgroup : "");
}

static struct only_row *row_of(struct only_table *t, const struct stat_line *l)
{
	struct only_row *r;

	vec_foreach(&t->row, have)
		if (have->line->id == l->id && same_cgroup(have->line, l))
			return have;
	r = vec_add(&t->row);
	r->line = l;
	return r;
}

/* NULL where the row has no such metric */
static const struct only_cell *cell_of(const struct only_row *r, u32 column)
{
	vec_foreach(&r->cell, c)
		if (c->column == column)
			return c;
	return NULL;
}

static void table_release(struct only_table *t)
{
	vec_foreach(&t->column, c)
		free(c->label);
	vec_foreach(&t->row, r)
		vec_release(&r->cell);
	vec_release(&t->column);
	vec_release(&t->row);
}

static void add_cells(struct only_table *t, const struct stat_block *b, const struct stat_line *l)
{
	struct only_row *r = row_of(t, l);

	for (u32 i = l->metric; i < l->metric + l->nr_metrics; i++) {
		const struct stat_metric *m = &b->metric.v[i];
		const struct only_unit *u = unit_of(m);
		struct only_cell cell = { column_of(t, l, m), m->value * (u ? u->factor : 1), stat_metric_decimals(m) };

		if (!cell_of(r, cell.column))
			vec_push(&r->cell, cell);
	}
	r->nr = MAX(r->nr, l->nr);
}

/* columns in the order of their first appearance, rows in theirs */
static void table_fill(struct only_table *t, const struct stat_block *b, bool time)
{
	struct strbuf text = STRBUF_INIT;

	*t = (struct only_table){ .cgroups = stat_has_cgroups(b), .time = time };
	vec_foreach(&b->line, l) {
		if (!l->nr_metrics)
			continue;
		add_cells(t, b, l);
		strbuf_reset(&text);
		stat_location_add(&text, b->aggr, l->id);
		t->place_width = MAX(t->place_width, text.len);
		t->cgroup_width = MAX(t->cgroup_width, strlen(l->cgroup ? l->cgroup : ""));
	}
	tell_apart(t);
	if (time) {	/* then the columns in front have titles as well */
		t->place_width = MAX(t->place_width, strlen(stat_mode_name(b->aggr->mode)->key ?: ""));
		t->cgroup_width = MAX(t->cgroup_width, strlen("cgroup"));
	}
	strbuf_release(&text);
}

/* writes the line of columns where it differs from the one written last */
static void add_header(struct strbuf *out, struct stat_out_state *st, struct strbuf *header)
{
	strbuf_addch(header, '\n');
	if (strcmp(strbuf_str(header), strbuf_str(&st->header))) {
		strbuf_addstr(out, strbuf_str(header));
		strbuf_release(&st->header);
		st->header = *header;
	} else {
		strbuf_release(header);
	}
}

/* ---- text ---- */

/* what was added since start, padded to width, on the left where right is set */
static void pad_to(struct strbuf *out, size_t start, size_t width, bool right)
{
	size_t len = out->len - start;

	if (len >= width)
		return;
	strbuf_pad(out, ' ', width - len);
	if (right) {
		memmove(out->buf + start + width - len, out->buf + start, len);
		memset(out->buf + start, ' ', width - len);
	}
}

static void text_word(struct strbuf *out, const char *word, size_t width, bool right)
{
	size_t start = out->len;

	strbuf_add_safe(out, word);
	pad_to(out, start, width, right);
}

static size_t text_width(const struct stat_out_opts *o, const char *label)
{
	return MAX(strlen(label), (size_t)(o->metric_columns ? o->metric_columns : COLUMN_WIDTH));
}

/* one blank behind what stands on the line already */
static size_t text_begin(struct strbuf *out, size_t line)
{
	if (out->len > line)
		strbuf_addch(out, ' ');
	return out->len;
}

static void text_header(struct strbuf *h, const struct stat_block *b, const struct stat_out_opts *o, const struct only_table *t)
{
	const struct stat_mode_name *mode = stat_mode_name(b->aggr->mode);

	if (t->time) {
		strbuf_addch(h, '#');
		text_word(h, "time", TIME_WIDTH - 1, true);
	}
	if (mode->key) {
		text_begin(h, 0);
		text_word(h, t->time || mode->titled ? mode->key : "", t->place_width, false);
	}
	if (mode->counters) {
		text_begin(h, 0);
		text_word(h, t->time ? "ctrs" : "", COUNTERS_WIDTH, true);
	}
	if (t->cgroups) {
		text_begin(h, 0);
		text_word(h, t->time ? "cgroup" : "", t->cgroup_width, false);
	}
	vec_foreach(&t->column, c) {
		text_begin(h, 0);
		text_word(h, c->label, text_width(o, c->label), true);
	}
}

static void text_row(struct strbuf *out, const struct stat_block *b, const struct stat_out_opts *o, const struct only_table *t,
		     const struct only_row *r)
{
	const struct stat_mode_name *mode = stat_mode_name(b->aggr->mode);
	size_t line = out->len, start;

	if (t->time) {
		stat_time_add(out, b->time_ns);
		pad_to(out, line, TIME_WIDTH, true);
	}
	if (mode->key) {
		start = text_begin(out, line);
		stat_location_add(out, b->aggr, r->line->id);
		pad_to(out, start, t->place_width, false);
	}
	if (mode->counters) {
		text_begin(out, line);
		strbuf_add_u64(out, r->nr, COUNTERS_WIDTH);
	}
	if (t->cgroups) {
		text_begin(out, line);
		text_word(out, r->line->cgroup ? r->line->cgroup : "", t->cgroup_width, false);
	}
	for (size_t i = 0; i < t->column.nr; i++) {
		const struct only_cell *cell = cell_of(r, i);

		start = text_begin(out, line);
		if (cell && isfinite(cell->value))
			stat_fixed_add(out, cell->value, cell->decimals);
		else
			strbuf_addch(out, '-');
		pad_to(out, start, text_width(o, t->column.v[i].label), true);
	}
	strbuf_addch(out, '\n');
}

void stat_only_text(const struct stat_block *b, const struct stat_out_opts *o, struct stat_out_state *st, struct strbuf *out)
{
	struct strbuf header = STRBUF_INIT;
	struct only_table t;

	table_fill(&t, b, b->interval && !b->summary);
	st->nr_blocks++;
	if (!b->interval)
		stat_text_head(b, out);
	if (t.row.nr) {
		text_header(&header, b, o, &t);
		add_header(out, st, &header);
	}
	vec_foreach(&t.row, r)
		text_row(out, b, o, &t, r);
	if (!b->interval)
		stat_text_foot(b, o, out);
	table_release(&t);
}

/* ---- columns by separator: each is followed by one, the last too, as upstream writes them ---- */

static void csv_word(struct strbuf *out, const struct stat_out_opts *o, const char *word)
{
	stat_csv_field(out, o->separator, word);
	strbuf_addstr(out, o->separator);
}

static void csv_header(struct strbuf *h, const struct stat_block *b, const struct stat_out_opts *o, const struct only_table *t)
{
	const struct stat_mode_name *mode = stat_mode_name(b->aggr->mode);

	if (t->time)
		csv_word(h, o, "time");
	if (mode->key)
		csv_word(h, o, mode->key);
	if (mode->counters)
		csv_word(h, o, "ctrs");
	if (t->cgroups)
		csv_word(h, o, "cgroup");
	vec_foreach(&t->column, c)
		csv_word(h, o, c->label);
}

static void csv_row(struct strbuf *out, const struct stat_block *b, const struct stat_out_opts *o, const struct only_table *t,
		    const struct only_row *r)
{
	const struct stat_mode_name *mode = stat_mode_name(b->aggr->mode);
	struct strbuf word = STRBUF_INIT;

	if (t->time) {
		if (b->summary)
			strbuf_addstr(&word, "summary");
		else
			stat_time_add(&word, b->time_ns);
		csv_word(out, o, strbuf_str(&word));
		strbuf_reset(&word);
	}
	if (mode->key) {
		stat_location_add(&word, b->aggr, r->line->id);
		csv_word(out, o, strbuf_str(&word));
	}
	strbuf_release(&word);
	if (mode->counters)
		strbuf_addf(out, "%u%s", r->nr, o->separator);
	if (t->cgroups)
		csv_word(out, o, r->line->cgroup ? r->line->cgroup : "");
	for (size_t i = 0; i < t->column.nr; i++) {
		const struct only_cell *cell = cell_of(r, i);

		if (cell && isfinite(cell->value))
			stat_fixed_add(out, cell->value, cell->decimals);
		strbuf_addstr(out, o->separator);
	}
	strbuf_addch(out, '\n');
}

void stat_only_csv(const struct stat_block *b, const struct stat_out_opts *o, struct stat_out_state *st, struct strbuf *out)
{
	struct strbuf header = STRBUF_INIT;
	struct only_table t;

	table_fill(&t, b, b->summary ? !o->no_csv_summary : b->interval);
	st->nr_blocks++;
	if (t.row.nr) {
		csv_header(&header, b, o, &t);
		add_header(out, st, &header);
	}
	vec_foreach(&t.row, r)
		csv_row(out, b, o, &t, r);
	table_release(&t);
}

/* ---- JSON ---- */

static void json_row(struct json *w, const struct stat_block *b, const struct only_table *t, const struct only_row *r)
{
	json_begin_object(w, JSON_COMPACT);
	stat_json_front(w, b, r->line->id, r->nr);
	if (t->cgroups)
		json_key_string(w, "cgroup", r->line->cgroup ? r->line->cgroup : "");
	for (size_t i = 0; i < t->column.nr; i++) {
		const struct only_cell *cell = cell_of(r, i);

		stat_json_quoted(w, t->column.v[i].label, cell ? cell->value : NAN, cell ? cell->decimals : 0);
	}
	json_end(w);
	strbuf_addch(w->out, '\n');
}

void stat_only_json(const struct stat_block *b, const struct stat_out_opts *o, struct stat_out_state *st, struct strbuf *out)
{
	struct json w = stat_json_writer(out);
	struct only_table t;

	(void)o;
	table_fill(&t, b, false);
	st->nr_blocks++;
	vec_foreach(&t.row, r)
		json_row(&w, b, &t, r);
	table_release(&t);
}
