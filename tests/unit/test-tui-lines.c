/* The lines of a table in the terminal interface: filters, folding, call graphs; copies of views. */
#include "test.h"

#include <string.h>

#include "../../ui/tui/table-lines.h"
#include "../../util/view/snapshot.h"

/* a tree: bash { libc { read, write }, bash { main } }, cat { libc { read } } */
static const struct {
	u8 depth;
	const char *name;
} rows[] = {
	{ 0, "bash" }, { 1, "libc" }, { 2, "read" }, { 2, "write" }, { 1, "bash" }, { 2, "main" },
	{ 0, "cat" }, { 1, "libc" }, { 2, "read" },
};

static void cell(const struct view_table *t UNUSED, size_t row, u32 column UNUSED, struct strbuf *out)
{
	strbuf_addstr(out, rows[row].name);
	strbuf_addch(out, ' ');		/* cells can be padded */
}

static struct view_level level[ARRAY_SIZE(rows)];

static void make_tree(struct view_table *t)
{
	static const char *const names[] = { "comm", "dso", "symbol" };

	*t = (struct view_table){ .nr_rows = ARRAY_SIZE(rows), .cell = cell, .level = level, .nr_levels = 3 };
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		level[i] = (struct view_level){ .depth = rows[i].depth };
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		vec_push(&t->column, (struct view_column){ .name = names[i], .title = names[i] });
}

/* "bash cat": the names of the shown lines */
static const char *shown(const struct table_lines *l)
{
	static char text[256];
	size_t len = 0;

	text[0] = '\0';
	for (u64 i = 0; i < table_lines_nr(l); i++) {
		struct table_line line = table_lines_at(l, i);

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i ? " " : "",
					line.node ? line.node->label : rows[line.row].name);
	}
	return text;
}

TEST(tui_lines_of_a_tree_open_and_close)
{
	struct table_lines l;
	struct view_table t;

	make_tree(&t);
	table_lines_init(&l, &t);
	CHECK_STR(shown(&l), "bash cat");
	CHECK(table_lines_toggle(&l, 0));
	CHECK_STR(shown(&l), "bash libc bash cat");
	CHECK(table_lines_toggle(&l, 1));
	CHECK_STR(shown(&l), "bash libc read write bash cat");
	CHECK(!table_lines_toggle(&l, 2));
	CHECK(table_lines_of_row(&l, 6) == 5);
	CHECK(table_lines_of_row(&l, 8) == HIDX_NONE);
	table_lines_set_all(&l, true);
	CHECK_STR(shown(&l), "bash libc read write bash main cat libc read");
	table_lines_set_all(&l, false);
	table_lines_toggle_all_below(&l, 1);
	CHECK_STR(shown(&l), "bash cat libc read");
	table_lines_release(&l);
	vec_release(&t.column);
}

TEST(tui_filters_of_a_tree_keep_what_is_above_and_below)
{
	struct table_lines l;
	struct view_table t;

	make_tree(&t);
	table_lines_init(&l, &t);
	table_lines_set_all(&l, true);
	table_lines_filter(&l, &(struct table_filter){ .column = 2, .text = (char *)"AI", .contains = true });
	CHECK_STR(shown(&l), "bash bash main");
	table_lines_filter(&l, &(struct table_filter){ .column = 2, .text = (char *)"", .contains = true });
	table_lines_filter(&l, &(struct table_filter){ .column = 1, .text = (char *)"libc" });
	CHECK_STR(shown(&l), "bash libc read write cat libc read");
	table_lines_filter(&l, &(struct table_filter){ .column = 0, .text = (char *)"ca", .prefix = true });
	CHECK_STR(shown(&l), "cat libc read");
	CHECK(table_lines_pop_filter(&l) && table_lines_pop_filter(&l) && !table_lines_pop_filter(&l));
	CHECK(table_lines_nr(&l) == ARRAY_SIZE(rows));
	table_lines_release(&l);
	vec_release(&t.column);
}

TEST(tui_call_graphs_open_run_by_run)
{
	struct view_node leaf = { .label = "leaf", .nr = 2 }, other = { .label = "other", .nr = 1 };
	struct view_node mid = { .label = "mid", .nr = 3 }, top = { .label = "top", .nr = 3 };
	struct view_node root = { .nr = 3 }, *tree[] = { &root, NULL };
	struct view_table t = { .nr_rows = 2, .cell = cell, .tree = tree };
	struct table_lines l;

	vec_push(&root.child, &top);
	vec_push(&top.child, &mid);
	vec_push(&mid.child, &leaf);
	vec_push(&mid.child, &other);
	table_lines_init(&l, &t);
	CHECK_STR(shown(&l), "bash libc");
	CHECK(table_lines_toggle(&l, 0));
	CHECK_STR(shown(&l), "bash top libc");
	/* top and mid have the same samples: one run */
	CHECK(table_lines_toggle(&l, 1));
	CHECK_STR(shown(&l), "bash top mid leaf other libc");
	CHECK(table_lines_at(&l, 2).run && !table_lines_at(&l, 2).can_open);
	CHECK(table_lines_at(&l, 3).depth == 1);
	table_lines_set_all(&l, false);
	table_lines_toggle_all_below(&l, 0);
	CHECK_STR(shown(&l), "bash top mid leaf other libc");
	CHECK(!table_lines_toggle(&l, 5));
	table_lines_release(&l);
	vec_release(&root.child);
	vec_release(&top.child);
	vec_release(&mid.child);
}

/* the same rows with those of cat first */
static void cell_later(const struct view_table *t UNUSED, size_t row, u32 column UNUSED, struct strbuf *out)
{
	strbuf_addstr(out, rows[(row + 6) % ARRAY_SIZE(rows)].name);
}

static void open_as(struct table_lines *l, const struct table_lines *old)
{
	u64 *key = table_row_keys(l->t), *old_key = table_row_keys(old->t);

	table_lines_open_as(l, key, old, old_key);
	table_lines_update(l);
	free(key);
	free(old_key);
}

TEST(tui_lines_of_a_newer_table_are_open_where_they_were)
{
	struct view_level later[ARRAY_SIZE(rows)];
	struct view_table t, t2;
	struct table_lines old, l;

	make_tree(&t);
	t2 = t;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		later[i] = level[(i + 6) % ARRAY_SIZE(rows)];
	t2.level = later;
	t2.cell = cell_later;
	table_lines_init(&old, &t);
	table_lines_toggle(&old, 0);
	table_lines_toggle(&old, 1);
	table_lines_init(&l, &t2);
	open_as(&l, &old);
	CHECK(table_lines_nr(&l) == 6);		/* cat bash libc read write bash */
	CHECK(!l.open[0] && l.open[3] && l.open[4] && !l.open[1] && !l.open[7]);
	table_lines_release(&l);
	table_lines_release(&old);
	vec_release(&t.column);
}

TEST(tui_call_graphs_of_a_newer_table_are_open_where_they_were)
{
	struct view_node leaf = { .label = "leaf", .nr = 2 }, other = { .label = "other", .nr = 1 };
	struct view_node mid = { .label = "mid", .nr = 3 }, root = { .nr = 3 }, *tree[] = { &root, NULL };
	struct view *v = xcalloc(1, sizeof(*v)), *copy;
	struct view_table *t = ARENA_NEW(&v->arena, struct view_table);
	struct table_lines old, l;

	vec_push(&root.child, &mid);
	vec_push(&mid.child, &leaf);
	vec_push(&mid.child, &other);
	*t = (struct view_table){ .nr_rows = 2, .cell = cell, .tree = tree };
	vec_push(&t->column, (struct view_column){ .name = "symbol", .title = "S", .type = VIEW_TEXT });
	vec_push(&v->table, t);
	copy = view_snapshot(v, 10);
	table_lines_init(&old, t);
	table_lines_toggle(&old, 0);
	table_lines_toggle(&old, 1);
	table_lines_init(&l, copy->table.v[0]);
	open_as(&l, &old);
	CHECK_STR(shown(&l), "bash mid leaf other libc");
	table_lines_release(&old);
	view_free(v);
	vec_release(&root.child);
	vec_release(&mid.child);
	CHECK_STR(shown(&l), "bash mid leaf other libc");
	table_lines_release(&l);
	view_free(copy);
}

static void share(const struct view_table *t UNUSED, size_t row, u32 column UNUSED, u32 member,
		  struct strbuf *scratch, struct view_value *ret)
{
	strbuf_addstr(scratch, rows[row].name);
	*ret = column ? (struct view_value){ .type = VIEW_TEXT, .text = strbuf_str(scratch) } :
	       (struct view_value){ .type = VIEW_SHARE, .real = 10.0 * (double)row + member };
}

TEST(view_snapshots_refer_to_nothing_of_the_view)
{
	struct view *v = xcalloc(1, sizeof(*v)), *copy;
	struct view_table *t = ARENA_NEW(&v->arena, struct view_table);
	struct strbuf sb = STRBUF_INIT;
	struct view_value value;

	t->nr_rows = ARRAY_SIZE(rows);
	t->cell = cell;
	t->value = share;
	vec_push(&t->head, arena_strdup(&v->arena, "two events"));
	vec_push(&t->member, arena_strdup(&v->arena, "a"));
	vec_push(&t->member, arena_strdup(&v->arena, "b"));
	vec_push(&t->column, (struct view_column){ .name = arena_strdup(&v->arena, "overhead"),
						   .title = "O", .type = VIEW_SHARE, .each_member = true });
	vec_push(&t->column, (struct view_column){ .name = "symbol", .title = "S", .type = VIEW_TEXT });
	vec_push(&v->table, t);
	copy = view_snapshot(v, 4);
	view_free(v);
	t = copy->table.v[0];
	CHECK(t->nr_rows == 4);
	CHECK_STR(t->head.v[0], "two events");
	CHECK_STR(t->column.v[0].name, "overhead");
	t->cell(t, 3, 1, &sb);
	CHECK_STR(strbuf_str(&sb), "write ");
	t->value(t, 3, 0, 1, &sb, &value);
	CHECK(value.type == VIEW_SHARE && value.real == 31.0);
	t->value(t, 2, 1, 0, &sb, &value);
	CHECK_STR(value.text, "read");
	strbuf_release(&sb);
	view_free(copy);
}

static void tree_cell(const struct view_table *t, size_t row, u32 column, struct strbuf *out)
{
	CHECK(t->level[row].note ? !column : !column || column == 1u + t->level[row].depth);
	strbuf_addf(out, "%zu:%u", row, column);
}

static void tree_value(const struct view_table *t, size_t row, u32 column UNUSED, u32 member UNUSED,
		       struct strbuf *scratch UNUSED, struct view_value *ret)
{
	CHECK(!t->level[row].note);
	*ret = (struct view_value){ .type = VIEW_NUMBER, .number = row };
}

TEST(view_snapshots_of_a_tree_ask_only_for_what_its_rows_have)
{
	static const struct view_level levels[] = { { 0, false }, { 1, false }, { 1, true } };
	static const char *const names[] = { "overhead", "comm", "symbol" };
	struct view *v = xcalloc(1, sizeof(*v)), *copy;
	struct view_table *t = ARENA_NEW(&v->arena, struct view_table);
	struct strbuf sb = STRBUF_INIT;

	*t = (struct view_table){ .nr_rows = 3, .cell = tree_cell, .value = tree_value, .level = levels,
				  .nr_levels = 2 };
	for (u32 i = 0; i < 3; i++)
		vec_push(&t->column, (struct view_column){ .name = names[i], .title = "T" });
	vec_push(&v->table, t);
	copy = view_snapshot(v, 10);
	view_free(v);
	t = copy->table.v[0];
	for (size_t row = 0; row < 3; row++)
		for (u32 i = 0; i < 3; i++) {
			t->cell(t, row, i, &sb);
			strbuf_addstr(&sb, "|");
		}
	CHECK_STR(strbuf_str(&sb), "0:0|0:1||1:0||1:2|2:0|||");
	strbuf_release(&sb);
	view_free(copy);
}
