/* Prompt: a line at the bottom that the user types. */
#include "screen.h"

#include <stdlib.h>

#define MAX_TEXT 1024

struct prompt_screen {
	struct screen s;
	struct prompt p;
	char *label;
	struct strbuf text;
};

static void draw(struct tui *t, struct screen *s)
{
	struct prompt_screen *x = (struct prompt_screen *)s;
	struct strbuf sb = STRBUF_INIT;
	u32 width, row = t->rows - 1;

	strbuf_addf(&sb, "%s: %s_", x->label, strbuf_str(&x->text));
	width = tui_text_width(t, strbuf_str(&sb));
	tui_bar(t, row, TUI_BAR, "");
	tui_put(t, row, width > t->columns ? (int)(t->columns - width) : 0, TUI_BAR, strbuf_str(&sb));
	strbuf_release(&sb);
}

static void finish(struct tui *t, struct prompt_screen *x, bool taken)
{
	struct prompt p = x->p;
	struct strbuf text = x->text;

	x->text = (struct strbuf)STRBUF_INIT;
	screen_pop(t);
	p.done(t, p.ctx, taken ? strbuf_str(&text) : NULL);
	strbuf_release(&text);
}

/* whole UTF-8 characters */
static void drop_last(struct strbuf *sb)
{
	size_t len = sb->len;

	while (len && ((unsigned char)sb->buf[len - 1] & 0xc0) == 0x80)
		len--;
	strbuf_setlen(sb, len ? len - 1 : 0);
}

static bool type(struct tui *t, struct screen *s, int key)
{
	struct prompt_screen *x = (struct prompt_screen *)s;

	if (key == TUI_KEY_ENTER || key == TUI_KEY_ESC) {
		finish(t, x, key == TUI_KEY_ENTER);
		return true;
	}
	if (key == TUI_KEY_BACKSPACE)
		drop_last(&x->text);
	else if (key == 21)	/* Ctrl-U */
		strbuf_reset(&x->text);
	else if (key >= ' ' && key < 256 && key != 127 && x->text.len < MAX_TEXT)
		strbuf_addch(&x->text, (char)key);
	if (x->p.typed)
		x->p.typed(t, x->p.ctx, strbuf_str(&x->text));
	return true;
}

static void release(struct screen *s)
{
	struct prompt_screen *x = (struct prompt_screen *)s;

	free(x->label);
	strbuf_release(&x->text);
}

static const struct tui_key *const keys[] = { screen_keys, NULL };
static const struct screen_kind kind = { "Keys of prompts", keys, true, draw, type, release };

void prompt_open(struct tui *t, const struct prompt *p)
{
	struct prompt_screen *x = screen_push(t, &kind, sizeof(*x));

	x->p = *p;
	x->label = xstrdup(p->label);
	if (p->text)
		strbuf_addstr(&x->text, p->text);
}
