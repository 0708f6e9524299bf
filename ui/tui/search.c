/* Search: goes to lines of a screen that have a text, upper or lower case. */
#include "screen.h"

#include <stdlib.h>
#include <string.h>

/* the selected line is searched last: other lines with the text come first */
static void search(struct tui *t, struct screen *s, bool forward)
{
	struct strbuf sb = STRBUF_INIT;
	u64 nr = s->list.nr, at = s->list.at;

	for (u64 i = 0; s->search && i < nr; i++) {
		at = (at + (forward ? 1 : nr - 1)) % nr;
		strbuf_reset(&sb);
		s->kind->line(s, at, &sb);
		if (!strcasestr(strbuf_str(&sb), s->search))
			continue;
		s->list.at = at;
		strbuf_release(&sb);
		return;
	}
	strbuf_release(&sb);
	if (s->search)
		tui_say(t, "no line has '%s'", s->search);
	else
		tui_say(t, "nothing was searched yet: / searches");
}

static void search_done(struct tui *t, void *ctx, const char *text)
{
	struct screen *s = ctx;

	if (!text || !*text)
		return;
	free(s->search);
	s->search = xstrdup(text);
	search(t, s, true);
}

static void ask(struct tui *t, struct screen *s)
{
	prompt_open(t, &(struct prompt){ .label = "Search", .done = search_done, .ctx = s });
}

static void next(struct tui *t, struct screen *s)
{
	search(t, s, true);
}

static void previous(struct tui *t, struct screen *s)
{
	search(t, s, false);
}

const struct tui_key search_keys[] = {
	{ "/", "search for a text", ask },
	{ "n", "go to the next line with the text", next },
	{ "N", "go to the previous line with the text", previous },
	{ 0 }
};
