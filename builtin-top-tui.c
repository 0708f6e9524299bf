/* perf top on a terminal: keys of live tables, and a copy of the table that is shown. */
#include "builtin-top.h"

#include <errno.h>
#include <stdlib.h>
#include "util/hist/report-view.h"
#include "util/view/snapshot.h"

#define MAX_ROWS 10000u		/* of a table that is copied for each refresh */

static void toggle_zero(void *ctx)
{
	struct top_screen *s = ctx;

	*s->zero = !*s->zero;
	tui_say(s->tui, *s->zero ? "each table shows its own interval" : "tables show the recent past");
}

static void toggle_frozen(void *ctx)
{
	struct top_screen *s = ctx;

	s->frozen = !s->frozen;
	tui_say(s->tui, s->frozen ? "the table stays as it is, and counting goes on (f: show it)" :
		"the table goes on");
}

static const struct tui_command_key keys[] = {
	{ "z", "begin each table from zero, or show the recent past", toggle_zero },
	{ "f", "freeze the table, or let it go on", toggle_frozen },
};

/* ---- code ---- */

static const struct view_question questions[] = {
	{ 'a', "annotate", "show the code of this function", "Reading code", VIEW_INPUT_NONE, NULL, true },
	{ '0', "event", "sort by this event of the group", "Sorting", VIEW_INPUT_NONE, NULL, false,
	  .last_key = '9', .of_group = true },
};

/* the next table is in that order */
static int sort_by_member(struct top_screen *s, const struct view_table *t, const char *digit,
			  struct err *err)
{
	u32 member = (u32)(*digit - '0');

	if (member >= t->member.nr)
		return err_set(err, -ENOENT, "this group has events 0 to %zu", t->member.nr - 1);
	*s->group_sort = member;
	tui_say(s->tui, "tables are sorted by %s", t->member.v[member]);
	return 0;
}

static int answer(void *ctx, const struct view_question *q, const struct view_table *t, size_t row,
		  const char *input, struct view_answer *ret, struct err *err)
{
	struct top_screen *s = ctx;
	size_t i = 0;
	struct annotated f;

	if (q->key == '0')
		return sort_by_member(s, t, input, err);
	while (s->shown->table.v[i] != t)
		i++;
	f = s->row[i][row];
	if (f.symbol == ID_NONE)
		return err_set(err, -ENOENT, "this row has no function whose code could be shown");
	f = annotate_find(&s->code->annotate, f.dso, f.symbol, f.event);
	vec_push(&s->code_dso, f.dso);
	code_answer(&s->code->annotate, &f, ret);
	return 0;
}

static int follow(void *ctx, const struct view_listing *l, const struct listing_line *line,
		  struct view_answer *ret, struct err *err)
{
	return code_follow(&((struct top_screen *)ctx)->code->annotate, l, line, ret, err);
}

static bool renew(void *ctx, const struct view_listing *l, struct view_answer *ret)
{
	code_renew(&((struct top_screen *)ctx)->code->annotate, l, ret);
	return true;
}

static void drop(void *ctx UNUSED, struct view_answer *a)
{
	if (a->listing)
		code_drop(a);
}

/* the rows of a copy no longer know their functions */
static struct annotated *functions_of(const struct view_table *t, size_t nr, struct arena *arena)
{
	struct annotated *ret = arena_zalloc(arena, nr * sizeof(*ret) + 1);
	struct report_symbol sym;

	for (size_t i = 0; i < nr; i++)
		ret[i] = report_row_symbol(t, i, &sym) ?
			 (struct annotated){ .dso = sym.dso, .symbol = sym.symbol, .event = sym.event } :
			 (struct annotated){ .symbol = ID_NONE };
	return ret;
}

/* --sym-annotate: once it has samples */
static void show_symbol(struct top_screen *s)
{
	struct view_answer a = { 0 };
	struct annotated f;

	if (!s->code->symbol || !top_code_find(s->code, s->code->symbol, &f))
		return;
	vec_push(&s->code_dso, f.dso);
	code_answer(&s->code->annotate, &f, &a);
	tui_add_listing(s->tui, &s->asker, &a, &s->code->text);
	s->code->symbol = NULL;
}

/* ---- tables ---- */

int top_screen_begin(struct top_screen *s, struct observer *ob, struct err *err)
{
	int fds[2], ret = 0;

	s->tui = tui_begin(err);
	if (!s->tui)
		return err->code;
	tui_command_keys(s->tui, keys, ARRAY_SIZE(keys), s);
	tui_listing_opts(s->tui, &s->code->text);
	s->code->wanted = true;
	s->asker = (struct view_asker){ .ctx = s, .question = questions, .nr = ARRAY_SIZE(questions),
					.answer = answer, .follow = follow, .renew = renew, .drop = drop };
	tui_say(s->tui, "Collecting samples ...");
	tui_fds(s->tui, fds);
	for (int i = 0; i < 2 && !ret; i++)
		ret = loop_add_fd(&ob->loop, fds[i], TOP_KEYS, err);
	tui_handle(s->tui);
	return ret;
}

void top_screen_show(struct top_screen *s, const struct view *v, const char *line)
{
	struct view *old = s->shown;

	if (s->frozen)
		return;
	s->shown = view_snapshot(v, MAX_ROWS);
	s->shown->name = "What runs now";
	vec_push(&s->shown->brief, arena_strdup(&s->shown->arena, line));
	s->row = arena_zalloc(&s->shown->arena, v->table.nr * sizeof(*s->row) + 1);
	for (size_t i = 0; i < v->table.nr; i++)
		s->row[i] = functions_of(v->table.v[i], s->shown->table.v[i]->nr_rows, &s->shown->arena);
	if (old)
		tui_replace_view(s->tui, s->shown);
	else
		tui_add_view(s->tui, s->shown, &s->asker, s->text);
	if (!old)
		tui_say(s->tui, "%s", "");	/* it was of collecting */
	tui_renew_listings(s->tui);
	show_symbol(s);
	if (old)
		view_free(old);
	tui_handle(s->tui);
}

bool top_screen_handle(struct top_screen *s)
{
	return tui_handle(s->tui);
}

void top_screen_end(struct top_screen *s)
{
	tui_end(s->tui);
	if (s->shown)
		view_free(s->shown);
	vec_release(&s->code_dso);
	*s = (struct top_screen){ 0 };
}
