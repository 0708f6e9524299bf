/* Text: lines to read, such as help, facts of a file and what scripts write. */
#include "screen.h"

#include <stdlib.h>
#include <string.h>

struct text_screen {
	struct screen s;
	char *title, *text;
	struct { VEC(const char *); } line;
	u32 widest;
	/* a text whose lines can be picked */
	void (*picked)(struct tui *t, void *ctx, const char *line);
	void *ctx;
	struct tui_key pick_key[2];
	const struct tui_key *tables_of_keys[5];
};

static void draw_foot(struct tui *t, const struct text_screen *x)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "%lu of %zu   q: back   h: keys   /: search%s", x->line.nr ? x->s.list.at + 1 : 0,
		    x->line.nr, x->picked ? "   ENTER: around this line" : "");
	tui_bar(t, t->rows - 1, TUI_BAR, strbuf_str(&sb));
	strbuf_release(&sb);
}

static void draw(struct tui *t, struct screen *s)
{
	struct text_screen *x = (struct text_screen *)s;
	u32 height = t->rows > 2 ? t->rows - 2 : 1;

	list_fit(&s->list, x->line.nr, height);
	s->list.shift = MIN(s->list.shift, x->widest > t->columns ? x->widest - t->columns : 0);
	tui_bar(t, 0, TUI_BAR, x->title);
	for (u32 i = 0; i < height && s->list.top + i < x->line.nr; i++) {
		u64 at = s->list.top + i;

		if (at == s->list.at)
			tui_bar(t, i + 1, TUI_SELECTED, "");
		tui_put(t, i + 1, -(int)s->list.shift, at == s->list.at ? TUI_SELECTED : TUI_NORMAL,
			x->line.v[at]);
	}
	if (t->rows > 2)
		draw_foot(t, x);
}

static void pick(struct tui *t, struct screen *s)
{
	struct text_screen *x = (struct text_screen *)s;

	if (s->list.at < x->line.nr)
		x->picked(t, x->ctx, x->line.v[s->list.at]);
}

static void line_text(const struct screen *s, u64 at, struct strbuf *out)
{
	strbuf_addstr(out, ((const struct text_screen *)s)->line.v[at]);
}

static void release(struct screen *s)
{
	struct text_screen *x = (struct text_screen *)s;

	free(x->title);
	free(x->text);
	vec_release(&x->line);
}

static const struct tui_key *const keys[] = { search_keys, list_keys, screen_keys, NULL };
static const struct screen_kind kind = {
	"Keys of texts", keys, .draw = draw, .line = line_text, .release = release,
};

/* tabs become blanks, because a terminal's tabs are not cut */
static char *without_tabs(const char *text)
{
	struct strbuf sb = STRBUF_INIT;
	size_t start = 0;

	for (; *text; text++) {
		if (*text == '\t')
			strbuf_pad(&sb, ' ', 8 - (sb.len - start) % 8);
		else
			strbuf_addch(&sb, *text);
		if (*text == '\n')
			start = sb.len;
	}
	return strbuf_detach(&sb);
}

static struct text_screen *open_text(struct tui *t, const char *title, const char *text)
{
	struct text_screen *x = screen_push(t, &kind, sizeof(*x));
	char *p;

	x->title = xstrdup(title);
	x->text = without_tabs(text);
	for (p = x->text; *p;) {
		char *end = strchrnul(p, '\n');

		vec_push(&x->line, p);
		if (!*end)
			break;
		*end = '\0';
		p = end + 1;
	}
	vec_foreach(&x->line, line)
		x->widest = MAX(x->widest, tui_text_width(t, *line));
	x->s.list.nr = x->line.nr;
	return x;
}

void text_open(struct tui *t, const char *title, const char *text)
{
	open_text(t, title, text);
}

void text_open_to_pick(struct tui *t, const char *title, const char *text, const char *help,
		       void (*picked)(struct tui *t, void *ctx, const char *line), void *ctx)
{
	struct text_screen *x = open_text(t, title, text);

	x->picked = picked;
	x->ctx = ctx;
	x->pick_key[0] = (struct tui_key){ "ENTER", help, pick };
	x->tables_of_keys[0] = x->pick_key;
	x->tables_of_keys[1] = search_keys;
	x->tables_of_keys[2] = list_keys;
	x->tables_of_keys[3] = screen_keys;
	x->s.keys = x->tables_of_keys;
}

void text_select(struct tui *t, const char *line)
{
	struct text_screen *x = (struct text_screen *)t->top;

	if (x->s.kind != &kind)
		return;
	for (size_t i = 0; i < x->line.nr; i++)
		if (!strcmp(x->line.v[i], line)) {
			x->s.list.at = i;
			return;
		}
}
