/* Table screen: a table of a view, in which the user moves, opens, filters and asks. */
#include "table-screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../format.h"
#include "../json-value.h"

const struct view_table *table_shown(const struct table_screen *x)
{
	return x->v->table.v[x->table];
}

int table_column(const struct view_table *t, const char *name)
{
	for (size_t i = 0; i < t->column.nr; i++)
		if (!strcmp(t->column.v[i].name, name))
			return (int)i;
	return -1;
}

int table_share_column(const struct view_table *t)
{
	for (size_t i = 0; i < t->column.nr; i++)
		if (t->column.v[i].type == VIEW_SHARE)
			return (int)i;
	return -1;
}

/* what rows themselves have: the column "overhead", which is also there beside that of callees */
static int own_share_column(const struct view_table *t)
{
	int own = table_column(t, "overhead");

	return own >= 0 && t->column.v[own].type == VIEW_SHARE ? own : table_share_column(t);
}

static double share_of(const struct view_table *t, u32 row, int column, struct strbuf *scratch)
{
	struct view_value value = { .type = VIEW_ABSENT };

	if (column >= 0 && t->value && !(t->nr_levels && t->level[row].note))
		t->value(t, row, column, 0, scratch, &value);
	return value.type == VIEW_SHARE ? value.real : 0;
}

void table_changed(struct table_screen *x)
{
	const struct view_table *t = table_shown(x);
	struct strbuf scratch = STRBUF_INIT;
	int own = own_share_column(t), first = table_share_column(t);

	x->share_sum = 0;
	for (size_t i = 0; x->relative && i < x->lines.row.nr; i++)
		x->share_sum += share_of(t, x->lines.row.v[i], own, &scratch);
	x->share_max = 0;
	/* rows are in the order of shares nearly always */
	for (size_t i = 0; i < x->lines.row.nr && i < 64; i++)
		x->share_max = MAX(x->share_max, share_of(t, x->lines.row.v[i], first, &scratch));
	strbuf_release(&scratch);
}

bool table_selected(const struct table_screen *x, u32 *ret_row)
{
	if (x->s.list.at >= table_lines_nr(&x->lines))
		return false;
	*ret_row = table_lines_at(&x->lines, x->s.list.at).row;
	return true;
}

/* by row: its share is below the limit */
static u8 *rows_below(const struct view_table *t, double limit)
{
	int column = table_share_column(t);
	struct strbuf scratch = STRBUF_INIT;
	u8 *small = xcalloc(t->nr_rows + 1, 1);

	for (size_t r = 0; r < t->nr_rows && column >= 0; r++)
		small[r] = share_of(t, r, column, &scratch) < limit;
	strbuf_release(&scratch);
	return small;
}

static void show_table(struct table_screen *x, u32 table)
{
	table_lines_release(&x->lines);
	x->table = table;
	table_lines_init(&x->lines, table_shown(x));
	if (x->limit > 0)
		table_lines_hide(&x->lines, rows_below(table_shown(x), x->limit));
	x->s.list = (struct screen_list){ .height = x->s.list.height };
	table_make_keys(x);
	table_changed(x);
}

static bool same_columns(const struct view_table *a, const struct view_table *b)
{
	bool same = a->column.nr == b->column.nr && a->nr_levels == b->nr_levels;

	for (size_t i = 0; same && i < a->column.nr; i++)
		same = !strcmp(a->column.v[i].name, b->column.v[i].name);
	return same;
}

static void select_key(struct table_screen *x, const u64 *keys, u64 key)
{
	for (size_t i = 0; i < x->lines.row.nr; i++)
		if (keys[x->lines.row.v[i]] == key) {
			x->s.list.at = x->lines.first.v[i];
			return;
		}
}

/* the same table of a newer view: filters, what is open and the selected line stay */
static void refresh(struct table_screen *x, const struct view *v)
{
	u64 *old_keys = table_row_keys(table_shown(x)), *keys, line = 0;
	struct screen_list list = x->s.list;
	struct table_lines old = x->lines;
	u32 row = 0;
	bool found = list.at && table_selected(x, &row);	/* who is at the top stays there */

	if (found)
		line = list.at - table_lines_of_row(&old, row);
	x->v = v;
	keys = table_row_keys(table_shown(x));
	table_lines_init(&x->lines, table_shown(x));
	table_lines_open_as(&x->lines, keys, &old, old_keys);
	if (x->limit > 0)
		x->lines.small = rows_below(table_shown(x), x->limit);
	memcpy(x->lines.filter, old.filter, sizeof(old.filter));
	x->lines.nr_filters = old.nr_filters;
	old.nr_filters = 0;
	table_lines_update(&x->lines);
	x->s.list = list;
	if (found)
		select_key(x, keys, old_keys[row]);
	if (found && x->s.list.at + line < table_lines_nr(&x->lines))
		x->s.list.at += line;	/* of a call graph */
	table_lines_release(&old);
	table_changed(x);
	free(old_keys);
	free(keys);
}

/* the first table with rows from this one on, forwards or (step: nr - 1) backwards; itself if none has */
static u32 table_with_rows(const struct view *v, u32 from, u32 step)
{
	u32 nr = (u32)v->table.nr;

	for (u32 i = 0; i < nr; i++) {
		u32 table = (u32)((from + (u64)i * step) % nr);

		if (v->table.v[table]->nr_rows)
			return table;
	}
	return from;
}

void table_take_view(struct table_screen *x, const struct view *v)
{
	bool same = x->v && x->table < v->table.nr;
	u32 table = same ? x->table : 0;

	if (!x->picked)
		table = table_with_rows(v, table, 1);
	same = same && table == x->table;
	if (same && same_columns(table_shown(x), v->table.v[table])) {
		refresh(x, v);
		return;
	}
	x->v = v;
	show_table(x, table);
}

/* ---- keys ---- */

static void toggle(struct tui *t, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;

	if (!s->list.nr || !table_lines_toggle(&x->lines, s->list.at))
		tui_say(t, "nothing is below this line");
	table_changed(x);
}

/* closes the node or row that the line is below of, as trees of files do */
static void toggle_row(struct tui *t UNUSED, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;
	u32 row;

	if (!table_selected(x, &row))
		return;
	table_lines_toggle_all_below(&x->lines, s->list.at);
	s->list.at = table_lines_of_row(&x->lines, row);
	table_changed(x);
}

/* the same for a line: also for a node of a graph */
static void toggle_line(struct tui *t, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;

	if (!s->list.nr || !table_lines_at(&x->lines, s->list.at).can_open) {
		tui_say(t, "nothing is below this line");
		return;
	}
	table_lines_toggle_below(&x->lines, s->list.at);
	table_changed(x);
}

static void set_all(struct table_screen *x, bool open)
{
	u32 row;

	if (!table_selected(x, &row))
		return;
	table_lines_set_all(&x->lines, open);
	while (row && table_lines_of_row(&x->lines, row) == HIDX_NONE)
		row--;		/* up to what is still shown */
	x->s.list.at = table_lines_of_row(&x->lines, row);
	table_changed(x);
}

static void open_all(struct tui *t UNUSED, struct screen *s)
{
	set_all((struct table_screen *)s, true);
}

static void close_all(struct tui *t UNUSED, struct screen *s)
{
	set_all((struct table_screen *)s, false);
}

static void toggle_relative(struct tui *t, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;

	if (table_shown(x)->nr_levels || own_share_column(table_shown(x)) < 0) {
		tui_say(t, "shares of the shown rows are only known for rows that are not a tree");
		return;
	}
	x->relative = !x->relative;
	table_changed(x);
	tui_say(t, x->relative ? "shares refer to the rows that are shown" : "shares refer to all samples");
}

static void go_to_hottest(struct tui *t UNUSED, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;
	const struct view_table *vt = table_shown(x);
	struct strbuf scratch = STRBUF_INIT;
	double best = -1;

	for (size_t i = 0; i < x->lines.row.nr; i++) {
		double share = share_of(vt, x->lines.row.v[i], own_share_column(vt), &scratch);

		if (share > best) {
			best = share;
			s->list.at = x->lines.first.v[i];
		}
	}
	strbuf_release(&scratch);
}

static void turn_table(struct tui *t, struct table_screen *x, u32 step)
{
	u32 table;

	if (x->v->table.nr < 2) {
		tui_say(t, "this file has one event or group");
		return;
	}
	table = table_with_rows(x->v, (x->table + step) % (u32)x->v->table.nr, step);
	if (table == x->table || !x->v->table.v[table]->nr_rows)
		tui_say(t, "no other event has samples");
	else
		show_table(x, table);
	x->picked = true;
}

static void next_table(struct tui *t, struct screen *s)
{
	turn_table(t, (struct table_screen *)s, 1);
}

static void previous_table(struct tui *t, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;

	turn_table(t, x, (u32)x->v->table.nr - 1);
}

static void picked_table(struct tui *t UNUSED, void *ctx, u32 item)
{
	struct table_screen *x = ctx;

	x->picked = true;
	show_table(x, item);
}

static void choose_table(struct tui *t, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;
	struct menu_items items = { 0 };

	vec_foreach(&x->v->table, table)
		vec_push(&items, xstrdup((*table)->head.nr ? (*table)->head.v[0] :
					 (*table)->name ? (*table)->name : "table"));
	menu_open(t, "Events", &items, picked_table, x);
	t->top->list.at = x->table;
	menu_items_release(&items);
}

/* ---- filter ---- */

static void filter_by(struct table_screen *x, const char *text)
{
	const struct view_table *t = table_shown(x);
	int column = table_column(t, "symbol");

	for (int i = 0; column < 0 && i < (int)t->column.nr; i++)
		if (t->column.v[i].type == VIEW_TEXT)
			column = i;
	if (column < 0)
		return;
	table_lines_filter(&x->lines, &(struct table_filter){ .column = column, .text = (char *)text,
							      .contains = true });
	x->s.list.at = x->s.list.top = 0;
	table_changed(x);
}

static void filter_typed(struct tui *t UNUSED, void *ctx, const char *text)
{
	filter_by(ctx, text);
}

static void filter_done(struct tui *t UNUSED, void *ctx, const char *text)
{
	if (!text)
		filter_by(ctx, "");
}

static void filter(struct tui *t, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;
	const char *old = NULL;

	for (u32 i = 0; i < x->lines.nr_filters; i++)
		if (x->lines.filter[i].contains)
			old = x->lines.filter[i].text;
	prompt_open(t, &(struct prompt){ .label = "Show names with", .text = old, .typed = filter_typed,
					 .done = filter_done, .ctx = x });
}

/* ---- limit ---- */

static void set_limit(struct tui *t, void *ctx, const char *text)
{
	struct table_screen *x = ctx;
	char *end;
	double limit = text ? strtod(text, &end) : 0;

	if (!text)
		return;
	if (!*text || *end || !(limit >= 0 && limit <= 100)) {
		tui_say(t, "'%s' is not a number of percent from 0 to 100", text);
		return;
	}
	x->limit = limit;
	table_lines_hide(&x->lines, limit > 0 ? rows_below(table_shown(x), limit) : NULL);
	x->s.list.at = x->s.list.top = 0;
	table_changed(x);
}

static void ask_limit(struct tui *t, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;
	char text[32];

	snprintf(text, sizeof(text), "%g", x->limit);
	prompt_open(t, &(struct prompt){ .label = "Hide rows below percent", .text = text, .done = set_limit,
					 .ctx = x });
}

/* ---- files and facts ---- */

static void write_file(struct tui *t, void *ctx, const char *path)
{
	struct table_screen *x = ctx;
	struct err err = ERR_INIT;

	if (!path || !*path)
		return;
	if (!access(path, F_OK))
		tui_say(t, "%s exists: choose another name", path);
	else if (!strcmp(path, "-"))
		tui_say(t, "the name '-' is not a file");
	else if (format_view_file("text", x->v, &x->text, path, &err))
		tui_say_error(t, &err);
	else
		tui_say(t, "written to %s", path);
}

static void ask_file(struct tui *t, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;
	char name[64];
	u32 i = 0;

	do
		snprintf(name, sizeof(name), "perf.hist.%u", i);
	while (!access(name, F_OK) && ++i < 1000);
	prompt_open(t, &(struct prompt){ .label = "Write text to file", .text = name, .done = write_file,
					 .ctx = x });
}

static void show_facts(struct tui *t, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;
	struct strbuf sb = STRBUF_INIT;

	vec_foreach(&x->v->fact, f) {
		strbuf_addf(&sb, "%-20s ", f->key);
		if (f->value.type == VIEW_TEXT)
			strbuf_addstr(&sb, f->value.text);
		else
			json_add_value(&sb, &f->value);
		strbuf_addch(&sb, '\n');
	}
	text_open(t, "What the file says of the machine and the recording", strbuf_str(&sb));
	strbuf_release(&sb);
}

/* the last filter goes first, then the screen */
static bool type(struct tui *t UNUSED, struct screen *s, int key)
{
	struct table_screen *x = (struct table_screen *)s;

	if (key != TUI_KEY_ESC || !table_lines_pop_filter(&x->lines))
		return false;
	table_changed(x);
	return true;
}

static void release(struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;

	table_lines_release(&x->lines);
	table_release_questions(x);
	if (x->has_owned)
		x->asker->drop(x->asker->ctx, &x->owned);
}

static const struct tui_key table_keys[] = {
	{ "ENTER m", "show what can be done with this row", table_menu },
	{ "+ -", "open or close one level of the call graph or tree", toggle },
	{ "e", "open or close all below this row", toggle_row },
	{ "c", "open or close all below this line", toggle_line },
	{ "E", "open everything", open_all },
	{ "C", "close everything", close_all },
	{ "/", "show only names with a text (ESC: all again)", filter },
	{ "L", "hide rows below a share in percent (0: show all)", ask_limit },
	{ "F", "shares of the shown rows, or of all samples", toggle_relative },
	{ "H", "go to the row with the largest share of its own", go_to_hottest },
	{ "TAB", "show the next event", next_table },
	{ "shift-TAB", "show the previous event", previous_table },
	{ "l", "choose an event", choose_table },
	{ "P", "write the tables as text to a file", ask_file },
	{ 0 }
};

/* of a view that has facts: a live one is of no file */
static const struct tui_key fact_keys[] = {
	{ "i", "show what the file says of the machine and the recording", show_facts },
	{ 0 }
};

static const struct tui_key *const keys[] = { table_keys, fact_keys, list_keys, screen_keys, NULL };
static const struct screen_kind kind = { "Keys of tables", keys, false, table_draw, type, release };

void tui_add_view(struct tui *t, const struct view *v, const struct view_asker *asker,
		  const struct text_opts *text)
{
	struct table_screen *x = screen_push(t, &kind, sizeof(*x));
	u32 nr = 0;

	x->asker = asker;
	x->text = *text;
	x->text.color = false;
	x->tables_of_keys[nr++] = table_keys;
	if (v->fact.nr)
		x->tables_of_keys[nr++] = fact_keys;
	x->tables_of_keys[nr++] = x->ask_key;
	x->tables_of_keys[nr++] = list_keys;
	x->tables_of_keys[nr] = screen_keys;
	x->s.keys = x->tables_of_keys;
	table_take_view(x, v);
	if (v->table.nr > 1)
		choose_table(t, &x->s);
}
