/* perf top on a terminal: keys of live tables, and a copy of the table that is shown. */
#include "builtin-top.h"

#include <stdlib.h>
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

int top_screen_begin(struct top_screen *s, struct observer *ob, struct err *err)
{
	int fds[2], ret = 0;

	s->tui = tui_begin(err);
	if (!s->tui)
		return err->code;
	tui_command_keys(s->tui, keys, ARRAY_SIZE(keys), s);
	tui_say(s->tui, "Collecting samples ...");
	tui_fds(s->tui, fds);
	for (int i = 0; i < 2 && !ret; i++)
		ret = loop_add_fd(&ob->loop, fds[i], OBSERVE_OWN, err);
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
	if (old)
		tui_replace_view(s->tui, s->shown);
	else
		tui_add_view(s->tui, s->shown, NULL, &(struct text_opts){ 0 });
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
	*s = (struct top_screen){ 0 };
}
