/* Table screen: zooms and questions: their keys, the menu of a row, and what comes of them. */
#include "table-screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "signals.h"

/* ---- zooms ---- */

static bool zoom_fits(const struct view_table *t, const struct view_zoom *z)
{
	return table_column(t, z->column) >= 0;
}

/* the zoom of a key: the first whose column is shown */
static const struct view_zoom *find_zoom(const struct view_table *t, int key)
{
	for (u32 i = 0; i < t->nr_zooms; i++)
		if (t->zoom[i].key == key && zoom_fits(t, &t->zoom[i]))
			return &t->zoom[i];
	return NULL;
}

static void zoom(struct tui *t, struct table_screen *x, const struct view_zoom *z)
{
	const struct view_table *vt = table_shown(x);
	struct table_filter f = { .column = (u32)table_column(vt, z->column), .prefix = z->value };
	struct strbuf cell = STRBUF_INIT;
	u32 row;

	if (!table_selected(x, &row))
		return;
	if (z->value)
		strbuf_addstr(&cell, z->value);
	else
		vt->cell(vt, row, f.column, &cell);
	while (cell.len && cell.buf[cell.len - 1] == ' ')
		strbuf_setlen(&cell, cell.len - 1);
	f.text = (char *)strbuf_str(&cell);
	f.text += strspn(f.text, " ");
	if (vt->nr_levels && !z->value && vt->column.nr - vt->nr_levels + vt->level[row].depth != f.column)
		tui_say(t, "rows of this level of the tree have no such name");
	else
		table_lines_filter(&x->lines, &f);
	strbuf_release(&cell);
	x->s.list.at = x->s.list.top = 0;
	table_changed(x);
}

/* ---- questions ---- */

void tui_replace_view(struct tui *t, const struct view *v)
{
	struct screen *s = t->top;

	while (s->below)
		s = s->below;
	table_take_view((struct table_screen *)s, v);
}

static void ask(struct tui *t, struct table_screen *x, const struct view_question *q, const char *input);

/* the table is below the text, so its question of lines is the one that was asked for the text */
static void line_picked(struct tui *t, void *ctx, const char *line)
{
	struct table_screen *x = ctx;
	const struct screen *lines = t->top;

	ask(t, x, x->line_question, line);
	if (t->top != lines)
		text_select(t, line);
}

static void open_text(struct tui *t, struct table_screen *x, const struct view_answer *a)
{
	const struct view_question *q = NULL;

	for (u32 i = 0; a->line_key && i < x->asker->nr; i++)
		if (x->asker->question[i].key == a->line_key)
			q = &x->asker->question[i];
	x->line_question = q;
	if (q)
		text_open_to_pick(t, a->title, a->text, q->text, line_picked, x);
	else
		text_open(t, a->title, a->text);
}

void answer_open(struct tui *t, struct screen *s, struct view_answer *a)
{
	struct table_screen *x = (struct table_screen *)s;

	if (a->view) {
		struct view_answer old = x->owned;
		bool had = x->has_owned;

		x->owned = *a;
		x->has_owned = true;
		table_take_view(x, a->view);
		if (had)
			x->asker->drop(x->asker->ctx, &old);
	} else if (a->listing) {
		tui_add_listing(t, x->asker, a, &t->listing);
	} else {
		if (a->text)
			open_text(t, x, a);
		x->asker->drop(x->asker->ctx, a);
	}
}

static bool question_fits(const struct view_table *t, const struct view_question *q)
{
	return !q->of_group || t->member.nr > 1;
}

static bool is_key_of(const struct view_question *q, int key)
{
	return key >= q->key && key <= MAX(q->key, q->last_key);
}

static void ask(struct tui *t, struct table_screen *x, const struct view_question *q, const char *input)
{
	struct view_answer a = { 0 };
	struct err err = ERR_INIT;
	u32 row = 0;

	if (!table_selected(x, &row) && q->of_row) {
		tui_say(t, "no row is selected");
		return;
	}
	tui_say(t, "%s ...", q->busy ? q->busy : q->text);
	tui_draw_now(t);
	t->message[0] = '\0';
	signals_busy(true);
	x->asker->answer(x->asker->ctx, q, table_shown(x), row, input, &a, &err);
	signals_busy(false);
	if (err.code)
		tui_say_error(t, &err);
	else
		answer_open(t, &x->s, &a);
}

static void input_done(struct tui *t, void *ctx, const char *text)
{
	struct table_screen *x = ctx;

	if (text && *text)
		ask(t, x, x->question, text);
}

static void choice_picked(struct tui *t, void *ctx, u32 item)
{
	struct table_screen *x = ctx;

	ask(t, x, x->question, x->choices.v[item]);
}

static void drop_choices(struct table_screen *x)
{
	vec_foreach(&x->choices, text)
		free(*text);
	x->choices.nr = 0;
}

static void begin_question(struct tui *t, struct table_screen *x, const struct view_question *q)
{
	const char key[2] = { (char)t->key };
	struct menu_items items = { 0 };

	x->question = q;
	switch (q->input) {
	case VIEW_INPUT_NONE:
		ask(t, x, q, q->last_key ? key : NULL);
		break;
	case VIEW_INPUT_TEXT:
		prompt_open(t, &(struct prompt){ .label = q->prompt, .done = input_done, .ctx = x });
		break;
	case VIEW_INPUT_CHOICE:
		drop_choices(x);
		x->asker->choices(x->asker->ctx, q, &x->choices);
		vec_foreach(&x->choices, text)
			vec_push(&items, *text);
		menu_open(t, q->prompt, &items, choice_picked, x);
		vec_release(&items);
	}
}

void table_release_questions(struct table_screen *x)
{
	drop_choices(x);
	vec_release(&x->choices);
	vec_release(&x->action);
}

/* ---- keys and the menu ---- */

static void on_key(struct tui *t, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;
	const struct view_zoom *z = find_zoom(table_shown(x), t->key);

	if (z) {
		zoom(t, x, z);
		return;
	}
	for (u32 i = 0; x->asker && i < x->asker->nr; i++)
		if (is_key_of(&x->asker->question[i], t->key) &&
		    question_fits(table_shown(x), &x->asker->question[i])) {
			begin_question(t, x, &x->asker->question[i]);
			return;
		}
}

static void add_key(struct table_screen *x, u32 *nr, char key, char last_key, const char *help)
{
	char *name = x->ask_name[*nr];

	if (*nr == TABLE_MAX_ASK_KEYS)
		return;
	snprintf(name, sizeof(x->ask_name[0]), last_key ? "%c-%c" : "%c", key, last_key);
	x->ask_key[*nr] = (struct tui_key){ x->ask_name[*nr], help, on_key };
	x->ask_key[++*nr] = (struct tui_key){ 0 };
}

void table_make_keys(struct table_screen *x)
{
	const struct view_table *t = table_shown(x);
	u32 nr = 0;

	x->ask_key[0] = (struct tui_key){ 0 };
	for (u32 i = 0; i < t->nr_zooms; i++)
		if (find_zoom(t, t->zoom[i].key) == &t->zoom[i])
			add_key(x, &nr, t->zoom[i].key, 0, t->zoom[i].text);
	for (u32 i = 0; x->asker && i < x->asker->nr; i++) {
		const struct view_question *q = &x->asker->question[i];

		if (question_fits(t, q))
			add_key(x, &nr, q->key, q->last_key, q->text);
	}
}

static void picked_action(struct tui *t, void *ctx, u32 item)
{
	struct table_screen *x = ctx;

	if (item < x->action.nr) {
		t->key = x->ask_name[x->action.v[item]][0];
		on_key(t, &x->s);
	} else if (!table_lines_toggle(&x->lines, x->s.list.at)) {
		tui_say(t, "nothing is below this line");
	} else {
		table_changed(x);
	}
}

void table_menu(struct tui *t, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;
	struct menu_items items = { 0 };
	struct strbuf sb = STRBUF_INIT;

	x->action.nr = 0;
	for (u16 i = 0; x->ask_key[i].keys; i++) {
		if (x->ask_name[i][1])
			continue;	/* a choice of keys */
		strbuf_reset(&sb);
		strbuf_addf(&sb, "%s  %s", x->ask_key[i].keys, x->ask_key[i].help);
		vec_push(&items, xstrdup(strbuf_str(&sb)));
		vec_push(&x->action, i);
	}
	if (s->list.nr && table_lines_at(&x->lines, s->list.at).can_open)
		vec_push(&items, xstrdup("+  open or close one level"));
	menu_open(t, "Actions", &items, picked_action, x);
	menu_items_release(&items);
	strbuf_release(&sb);
}
