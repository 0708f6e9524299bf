/* Metric table: columns are found and named, then rows are filled. */
#include "metric-table.h"

#include <string.h>

/* event: NULL for a metric by name, which has one column whatever event it stands beside */
struct table_column {
	char *label;
	const char *event;
};

struct table_cell {
	u32 column;
	struct view_value value;	/* in the column's unit */
};

struct table_row {
	const struct view_line *line;	/* the first one of this aggregate and cgroup */
	u32 nr;				/* most counters that a line of it has */
	struct { VEC(struct table_cell); } cell;
};

struct table_builder {
	struct { VEC(struct table_column); } column;
	struct { VEC(struct table_row); } row;
};

/* units that go with the size of a number; a column has one for all its rows */
static const struct column_unit {
	const char *unit, *column;
	double factor;
} units[] = {
	{ "K/sec", "/sec", 1e3 }, { "M/sec", "/sec", 1e6 }, { "G/sec", "/sec", 1e9 },
	{ "MHz", "GHz", 1e-3 }, { "kHz", "GHz", 1e-6 }, { "Hz", "GHz", 1e-9 },
};

static const struct column_unit *unit_of(const struct view_derived *m)
{
	for (size_t i = 0; i < ARRAY_SIZE(units) && !m->by_name; i++)
		if (!strcmp(units[i].unit, m->unit))
			return &units[i];
	return NULL;
}

/* rates and shares say nothing without their event: "page-faults/sec", "branch-misses of all branches" */
static void column_label(const struct view_line *l, const struct view_derived *m, struct strbuf *out)
{
	const struct column_unit *u = unit_of(m);
	struct view_derived same = *m;
	bool rate, share;

	if (u)
		same.unit = u->column;
	rate = !m->by_name && !strcmp(same.unit, "/sec");
	share = !m->by_name && !strncmp(m->name, "of all", 6);
	if ((rate || share) && l->name)
		strbuf_addf(out, "%s%s", l->name, share ? " " : "");
	view_derived_label(&same, true, out);
}

static bool same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static u32 column_of(struct table_builder *t, const struct view_line *l, const struct view_derived *m)
{
	const char *event = m->by_name ? NULL : l->name;
	struct strbuf label = STRBUF_INIT;

	column_label(l, m, &label);
	for (u32 i = 0; i < t->column.nr; i++) {
		const struct table_column *c = &t->column.v[i];

		if (strcmp(c->label, strbuf_str(&label)) || !same_text(c->event, event))
			continue;
		strbuf_release(&label);
		return i;
	}
	vec_push(&t->column, (struct table_column){ strbuf_detach(&label), event });
	return t->column.nr - 1;
}

/* two events with the same kind of metric: each is named */
static void tell_apart(struct table_builder *t)
{
	for (u32 i = 0; i < t->column.nr; i++) {
		struct table_column *c = &t->column.v[i];
		struct strbuf label = STRBUF_INIT;
		bool twice = false;

		for (u32 k = i + 1; k < t->column.nr && c->event; k++) {
			struct table_column *other = &t->column.v[k];

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

static struct table_row *row_of(struct table_builder *t, const struct view_line *l)
{
	struct table_row *r;

	vec_foreach(&t->row, have)
		if (have->line->place == l->place && same_text(have->line->group, l->group))
			return have;
	r = vec_add(&t->row);
	r->line = l;
	return r;
}

/* NULL where the row has no such metric */
static const struct table_cell *cell_of(const struct table_row *r, u32 column)
{
	vec_foreach(&r->cell, c)
		if (c->column == column)
			return c;
	return NULL;
}

static void builder_release(struct table_builder *t)
{
	vec_foreach(&t->column, c)
		free(c->label);
	vec_foreach(&t->row, r)
		vec_release(&r->cell);
	vec_release(&t->column);
	vec_release(&t->row);
}

static void add_cells(struct table_builder *t, const struct view_block *b, const struct view_line *l)
{
	struct table_row *r = row_of(t, l);

	for (u32 i = l->derived; i < l->derived + l->nr_derived; i++) {
		const struct view_derived *m = &b->derived.v[i];
		const struct column_unit *u = unit_of(m);
		struct table_cell cell = { column_of(t, l, m), m->value };

		if (u && cell.value.type == VIEW_REAL)
			cell.value.real *= u->factor;
		if (!cell_of(r, cell.column))
			vec_push(&r->cell, cell);
	}
	r->nr = MAX(r->nr, l->nr);
}

static void value_of_cell(const struct view_table *v, size_t row, u32 column, u32 member,
			  struct strbuf *scratch, struct view_value *ret)
{
	const struct metric_table *t = v->ctx;

	*ret = t->cell[row * v->column.nr + column];
}

static void fill(struct metric_table *t, struct view_block *b, const struct table_builder *from)
{
	size_t nr = MAX(from->row.nr * from->column.nr, (size_t)1);
	struct view_value *cell = arena_zalloc(&b->arena, nr * sizeof(*cell));

	vec_foreach(&from->column, c) {
		const char *label = arena_strdup(&b->arena, c->label);

		vec_push(&t->view.column, (struct view_column){ .name = label, .title = label,
								.type = VIEW_REAL, .right = true });
	}
	for (size_t r = 0; r < from->row.nr; r++)
		for (u32 i = 0; i < from->column.nr; i++) {
			const struct table_cell *have = cell_of(&from->row.v[r], i);

			cell[r * from->column.nr + i].type = VIEW_ABSENT;
			if (have)
				cell[r * from->column.nr + i] = have->value;
		}
	t->cell = cell;
	t->view.nr_rows = from->row.nr;
	t->view.value = value_of_cell;
	t->view.ctx = t;
}

/* columns in the order of their first appearance, rows in theirs */
void metric_table_make(struct metric_table *t, struct view_block *b)
{
	struct { VEC(struct view_line); } rows = { 0 };
	bool grouped = view_block_grouped(b);
	struct table_builder build = { 0 };

	*t = (struct metric_table){ 0 };
	vec_foreach(&b->line, l)
		if (l->nr_derived)
			add_cells(&build, b, l);
	tell_apart(&build);
	fill(t, b, &build);
	vec_foreach(&build.row, r) {
		const char *group = r->line->group;

		vec_push(&rows, (struct view_line){ .place = r->line->place, .nr = r->nr, .deviation = -1,
						    .group = group || !grouped ? group : "" });
	}
	builder_release(&build);
	b->line.nr = 0;
	vec_foreach(&rows, r)
		vec_push(&b->line, *r);
	vec_release(&rows);
	b->table = &t->view;
}

void metric_table_release(struct metric_table *t)
{
	vec_release(&t->view.column);
}
