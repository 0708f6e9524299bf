/* Snapshot: see snapshot.h. */
#include "snapshot.h"

/* cells by row and column; values by row, column and member */
struct copied {
	u32 nr_columns, nr_members;
	const char **text;
	struct view_value *value;
};

static void copied_cell(const struct view_table *t, size_t row, u32 column, struct strbuf *out)
{
	const struct copied *c = t->ctx;

	strbuf_addstr(out, c->text[row * c->nr_columns + column]);
}

static void copied_value(const struct view_table *t, size_t row, u32 column, u32 member,
			 struct strbuf *scratch UNUSED, struct view_value *ret)
{
	const struct copied *c = t->ctx;

	*ret = c->value[(row * c->nr_columns + column) * c->nr_members + member];
}

static struct view_value copy_value(const struct view_table *t, size_t row, u32 column, u32 member,
				    struct strbuf *scratch, struct arena *arena)
{
	struct view_value v = { .type = VIEW_ABSENT };

	strbuf_reset(scratch);
	if (t->value)
		t->value(t, row, column, member, scratch, &v);
	if ((v.type == VIEW_TEXT || v.type == VIEW_ABSENT) && v.text)
		v.text = arena_strdup(arena, v.text);
	return v;
}

static bool is_remark(const struct view_table *t, size_t row)
{
	return t->nr_levels && t->level[row].note;
}

/* a row of a tree has numbers and the key of its level; a remark has a text in the first column only */
static bool has_cell(const struct view_table *t, size_t row, u32 column)
{
	u32 numbers = (u32)t->column.nr - t->nr_levels;

	if (!t->nr_levels)
		return true;
	if (is_remark(t, row))
		return !column;
	return column < numbers || column == numbers + t->level[row].depth;
}

static void copy_cells(const struct view_table *from, struct view_table *to, struct copied *c,
		       struct arena *arena)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t row = 0; row < to->nr_rows; row++)
		for (u32 i = 0; i < c->nr_columns; i++) {
			u32 nr = from->column.v[i].each_member ? c->nr_members : 1;
			size_t at = row * c->nr_columns + i;

			c->text[at] = "";
			for (u32 m = 0; m < c->nr_members; m++)
				c->value[at * c->nr_members + m].type = VIEW_ABSENT;
			if (!has_cell(from, row, i))
				continue;
			strbuf_reset(&sb);
			from->cell(from, row, i, &sb);
			c->text[at] = arena_strdup(arena, strbuf_str(&sb));
			for (u32 m = 0; m < nr && !is_remark(from, row); m++)
				c->value[at * c->nr_members + m] = copy_value(from, row, i, m, &sb, arena);
		}
	strbuf_release(&sb);
}

static struct view_node *copy_node(const struct view_node *from, struct arena *arena)
{
	struct view_node *n = arena_memdup(arena, from, sizeof(*from));

	n->label = from->label ? arena_strdup(arena, from->label) : NULL;
	n->note = from->note ? arena_strdup(arena, from->note) : NULL;
	n->module = from->module ? arena_strdup(arena, from->module) : NULL;
	n->nr_slots = 0;
	n->slot = NULL;
	n->child.v = arena_zalloc(arena, from->child.nr * sizeof(*n->child.v) + 1);
	n->child.alloc = from->child.nr;
	for (size_t i = 0; i < from->child.nr; i++)
		n->child.v[i] = copy_node(from->child.v[i], arena);
	return n;
}

static void copy_graphs(const struct view_table *from, struct view_table *to, struct arena *arena)
{
	to->tree = arena_zalloc(arena, to->nr_rows * sizeof(*to->tree) + 1);
	for (size_t i = 0; i < to->nr_rows; i++)
		if (from->tree[i])
			to->tree[i] = copy_node(from->tree[i], arena);
}

static struct view_table *copy_table(const struct view_table *from, struct view *v, size_t max_rows)
{
	struct view_table *to = ARENA_NEW(&v->arena, struct view_table);
	struct copied *c = ARENA_NEW(&v->arena, struct copied);
	size_t cells;

	to->name = from->name ? arena_strdup(&v->arena, from->name) : NULL;
	vec_foreach(&from->head, line)
		vec_push(&to->head, arena_strdup(&v->arena, *line));
	vec_foreach(&from->member, name)
		vec_push(&to->member, arena_strdup(&v->arena, *name));
	vec_foreach(&from->column, column) {
		vec_push(&to->column, *column);
		to->column.v[to->column.nr - 1].name = arena_strdup(&v->arena, column->name);
		to->column.v[to->column.nr - 1].title = arena_strdup(&v->arena, column->title);
	}
	to->nr_rows = MIN(from->nr_rows, max_rows);
	to->total_period = from->total_period;
	to->total_nr = from->total_nr;
	to->zoom = from->zoom;
	to->nr_zooms = from->nr_zooms;
	to->nr_levels = from->nr_levels;
	if (to->nr_levels)
		to->level = arena_memdup(&v->arena, from->level, to->nr_rows * sizeof(*to->level));
	c->nr_columns = (u32)from->column.nr;
	c->nr_members = MAX((u32)from->member.nr, 1u);
	cells = to->nr_rows * c->nr_columns;
	c->text = arena_zalloc(&v->arena, cells * sizeof(*c->text) + 1);
	c->value = arena_zalloc(&v->arena, cells * c->nr_members * sizeof(*c->value) + 1);
	copy_cells(from, to, c, &v->arena);
	if (from->tree)
		copy_graphs(from, to, &v->arena);
	to->cell = copied_cell;
	to->value = copied_value;
	to->ctx = c;
	return to;
}

struct view *view_snapshot(const struct view *v, size_t max_rows)
{
	struct view *copy = xcalloc(1, sizeof(*copy));

	copy->name = v->name;
	vec_foreach(&v->brief, line)
		vec_push(&copy->brief, arena_strdup(&copy->arena, *line));
	vec_foreach(&v->table, t)
		vec_push(&copy->table, copy_table(*t, copy, max_rows));
	return copy;
}
