/* Terminal interface: begin and end, the stack of screens, and keys to them. */
#include "screen.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "signals.h"
#include "../../util/base/log.h"
#include "../../util/base/plugin.h"
#include "../../util/cli/color.h"
#include "../../util/cli/progress.h"

#define MAX_KEYS_AT_ONCE 4096	/* handled before the next drawing */

/* ---- keys ---- */

const char *key_name(int key, char buf[8])
{
	static const struct { int key; const char *name; } names[] = {
		{ TUI_KEY_ESC, "ESC" }, { TUI_KEY_UP, "UP" }, { TUI_KEY_DOWN, "DOWN" },
		{ TUI_KEY_LEFT, "LEFT" }, { TUI_KEY_RIGHT, "RIGHT" }, { TUI_KEY_PGUP, "PGUP" },
		{ TUI_KEY_PGDN, "PGDN" }, { TUI_KEY_HOME, "HOME" }, { TUI_KEY_END, "END" },
		{ TUI_KEY_F1, "F1" }, { TUI_KEY_UNTAB, "shift-TAB" }, { TUI_KEY_BACKSPACE, "BACKSPACE" },
		{ TUI_KEY_ENTER, "ENTER" }, { TUI_KEY_CTRL_C, "Ctrl-C" }, { '\t', "TAB" }, { ' ', "SPACE" },
		{ 12, "Ctrl-L" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].key == key)
			return names[i].name;
	buf[0] = key > ' ' && key < 127 ? (char)key : '\0';
	buf[1] = '\0';
	return buf;
}

/* "h ? F1", "0-9" */
static bool has_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = words; len && *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (n == len && !memcmp(p, word, len))
			return true;
		if (n == 3 && len == 1 && p[1] == '-' && *word >= p[0] && *word <= p[2])
			return true;
		p += n;
	}
	return false;
}

static void back(struct tui *t, struct screen *s UNUSED)
{
	screen_pop(t);
}

static void leave(struct tui *t, struct screen *s UNUSED)
{
	t->done = true;
}

static void redraw(struct tui *t, struct screen *s UNUSED)
{
	t->term->resize(&t->rows, &t->columns);
}

const struct tui_key screen_keys[] = {
	{ "h ? F1", "show the keys of this screen", help_open },
	{ "q ESC", "go back, or leave from the first screen", back },
	{ "Ctrl-C", "leave", leave },
	{ "Ctrl-L", "draw the screen again", redraw },
	{ 0 }
};

static bool run_command_key(struct tui *t, const char *name)
{
	for (u32 i = 0; !t->top->below && i < t->nr_command_keys; i++)
		if (has_word(t->command_key[i].keys, name)) {
			t->command_key[i].run(t->command_ctx);
			return true;
		}
	return false;
}

static void handle_key(struct tui *t, int key)
{
	struct screen *s = t->top;
	char buf[8];
	const char *name = key_name(key, buf);

	if (!s) {		/* nothing to show yet */
		t->done |= key == 'q' || key == TUI_KEY_ESC || key == TUI_KEY_CTRL_C;
		return;
	}
	t->message[0] = '\0';
	t->key = key;
	if (key != TUI_KEY_CTRL_C && s->kind->type && s->kind->type(t, s, key))
		return;
	for (u32 i = 0; s->keys[i]; i++)
		for (const struct tui_key *k = s->keys[i]; k->keys; k++)
			if (has_word(k->keys, name)) {
				k->run(t, s);
				return;
			}
	if (!run_command_key(t, name) && key != TUI_KEY_NONE)
		tui_say(t, "no such key here: h shows the keys of this screen");
}

/* ---- the stack ---- */

void *screen_push(struct tui *t, const struct screen_kind *kind, size_t size)
{
	struct screen *s = xcalloc(1, size);

	s->kind = kind;
	s->keys = kind->keys;
	s->below = t->top;
	t->top = s;
	return s;
}

static void free_screen(struct screen *s)
{
	if (s->kind->release)
		s->kind->release(s);
	free(s->search);
	free(s);
}

void screen_pop(struct tui *t)
{
	struct screen *s = t->top;

	if (!s->below) {
		t->done = true;
		return;
	}
	t->top = s->below;
	free_screen(s);
}

static void draw_screen(struct tui *t, struct screen *s)
{
	if (s->kind->overlay && s->below)
		draw_screen(t, s->below);
	s->kind->draw(t, s);
}

void tui_draw_now(struct tui *t)
{
	t->term->clear();
	if (t->top)
		draw_screen(t, t->top);
	if (t->message[0])
		tui_bar(t, t->rows - 1, TUI_BAR, t->message);
	t->term->flush();
}

void tui_say(struct tui *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->message, sizeof(t->message), fmt, ap);
	va_end(ap);
}

void tui_say_error(struct tui *t, const struct err *err)
{
	tui_say(t, "%s%s%s", err->msg, err->nr_hints ? "; " : "", err->nr_hints ? err_hint_at(err, 0) : "");
}

/* ---- begin and end ---- */

static bool locale_is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *s = getenv(names[i]);

		if (s && *s)
			return strcasestr(s, "utf-8") || strcasestr(s, "utf8");
	}
	return false;
}

bool tui_wanted(const struct tui_choice *c, bool by_default)
{
	const char *term = getenv("TERM"), *why = NULL;

	if (c->stdio || (!c->tui && !by_default))
		return false;
	if (!isatty(STDOUT_FILENO))
		why = "standard output is not a terminal";
	else if (!term || !*term || !strcmp(term, "dumb"))
		why = "TERM says that the terminal cannot place text";
	if (why && c->tui)
		log_warn("--tui: %s: printing plain text", why);
	return !why;
}

void tui_note_missing(const struct err *err, const char *command)
{
	log_note("%s: printing plain text ('perf config tui.%s=false' hides this note)", err->msg, command);
}

struct tui *tui_begin(struct err *err)
{
	const struct tui_terminal_ops *ops = plugin_load("libslang", sizeof(*ops), err);
	struct tui_tty tty = { .fd = STDOUT_FILENO };
	struct tui *t;
	char msg[128];
	int ret;

	if (!ops) {
		err_prefix(err, "no terminal interface: ");
		return NULL;
	}
	progress_end();
	fflush(stdout);
	tcgetattr(tty.fd, &tty.before);
	t = xcalloc(1, sizeof(*t));
	t->term = ops;
	t->utf8 = locale_is_utf8();
	ret = ops->begin(color_wanted(STDOUT_FILENO), t->utf8, msg, sizeof(msg));
	if (ret) {
		free(t);
		err_set(err, ret, "no terminal interface: %s", msg);
		return NULL;
	}
	tty.fd = ops->fd();
	tcgetattr(tty.fd, &tty.during);
	tty.during.c_lflag |= ISIG;
	tty.during.c_cc[VINTR] = 3;
	tty.during.c_cc[VSUSP] = 26;
	tty.during.c_cc[VQUIT] = _POSIX_VDISABLE;
	tcsetattr(tty.fd, TCSADRAIN, &tty.during);
	tty.farewell = ops->farewell();
	tty.welcome = ops->welcome();
	signals_begin(&tty);
	log_hold(true);
	ops->resize(&t->rows, &t->columns);
	return t;
}

void tui_end(struct tui *t)
{
	if (!t)
		return;
	while (t->top) {
		struct screen *s = t->top;

		t->top = s->below;
		free_screen(s);
	}
	t->term->end();
	signals_end();
	log_hold(false);
	free(t);
}

/* ---- the loop ---- */

void tui_command_keys(struct tui *t, const struct tui_command_key *key, u32 nr, void *ctx)
{
	t->command_key = key;
	t->nr_command_keys = nr;
	t->command_ctx = ctx;
}

void tui_listing_opts(struct tui *t, const struct listing_opts *o)
{
	t->listing = *o;
}

void tui_fds(const struct tui *t, int ret_fds[2])
{
	ret_fds[0] = t->term->fd();
	ret_fds[1] = signals_fd();
}

bool tui_handle(struct tui *t)
{
	struct signals_seen seen = signals_read();

	if (seen.redraw)
		t->term->resize(&t->rows, &t->columns);
	if (seen.interrupt)
		handle_key(t, TUI_KEY_CTRL_C);
	for (u32 i = 0; i < MAX_KEYS_AT_ONCE && !t->done && t->term->pending(); i++) {
		int key = t->term->key();

		if (key < 0)
			t->done = true;
		else
			handle_key(t, key);
	}
	if (!t->done)
		tui_draw_now(t);
	return !t->done;
}

void tui_run(struct tui *t)
{
	struct pollfd p[2] = { { .events = POLLIN }, { .events = POLLIN } };
	int fds[2];

	tui_fds(t, fds);
	p[0].fd = fds[0];
	p[1].fd = fds[1];
	while (tui_handle(t)) {
		if (t->term->pending())
			continue;
		while (poll(p, 2, -1) < 0 && errno == EINTR)
			;
		if (p[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			return;
	}
}
