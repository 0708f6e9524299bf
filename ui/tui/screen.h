/*
 * Screens: what the interface shows, one above another; keys go to the top one. A screen is a file: a struct
 * that begins with struct screen, and a const struct screen_kind. Its keys are rows, from which help is made.
 */
#ifndef PERF_TUI_SCREEN_H
#define PERF_TUI_SCREEN_H

#include "terminal-plugin.h"
#include "tui.h"
#include "../../util/base/strbuf.h"

struct screen;

struct tui_key {
	const char *keys;	/* names of keys, by blanks: "h ? F1"; a range: "0-9" */
	const char *help;	/* NULL: not in help */
	void (*run)(struct tui *t, struct screen *s);
};

struct screen_kind {
	const char *title;		/* of its help */
	/* tables of rows, the last one followed by NULL; a row without keys ends a table */
	const struct tui_key *const *keys;
	bool overlay;			/* the screen below is drawn first */
	void (*draw)(struct tui *t, struct screen *s);
	/* takes a key before the rows do; false: it did not. May be NULL */
	bool (*type)(struct tui *t, struct screen *s, int key);
	void (*release)(struct screen *s);
	/* appends the text of line `at`, for search_keys; NULL if the screen does not have them */
	void (*line)(const struct screen *s, u64 at, struct strbuf *out);
};

/* lines with a selected one */
struct screen_list {
	u64 nr, top, at;
	u32 height;		/* number of lines that are shown, set when drawn */
	u32 shift;		/* columns that are left out at the left */
};

struct screen {
	const struct screen_kind *kind;
	const struct tui_key *const *keys;	/* at first the keys of the kind */
	struct screen *below;
	struct screen_list list;
	char *search;				/* the last text that search_keys searched, or NULL */
};

struct tui {
	const struct tui_terminal_ops *term;
	u32 rows, columns;
	bool utf8, done, quiet;		/* quiet: keys are waiting, so nothing is drawn */
	struct screen *top;
	int key;			/* the last one, for rows with several */
	const struct tui_command_key *command_key;
	u32 nr_command_keys;
	void *command_ctx;
	struct listing_opts listing;	/* of listings that are opened from a table */
	char message[512];
};

/* ---- the stack ---- */

/* a zeroed screen of this size becomes the top one */
void *screen_push(struct tui *t, const struct screen_kind *kind, size_t size);
/* closes the top screen; the last one ends the interface */
void screen_pop(struct tui *t);
/* keys of every screen, keys of lists, and keys that search in list.nr lines */
extern const struct tui_key screen_keys[], list_keys[], search_keys[];
/* "UP", "Ctrl-C", "a" */
const char *key_name(int key, char buf[8]);
/* draws at once, with a message: before long work */
void tui_draw_now(struct tui *t);

/* ---- drawing ---- */

/*
 * Text from a column on, which may be negative: what lies outside of the columns from first to before end is
 * cut, and '<' and '>' stand there for it, so that no part of a number is taken for all of it. Control
 * characters, broken UTF-8 and marks that change the direction become '?'. Returns the column after the text.
 */
int tui_put_within(struct tui *t, u32 row, int column, int first, int end, enum tui_color color,
		   const char *text);
/* the same in all columns of the screen */
int tui_put(struct tui *t, u32 row, int column, enum tui_color color, const char *text);
/*
 * A text over several rows, at most max_rows, the last of which is cut: rows end at blanks and at '\n'.
 * Returns the row after the text.
 */
u32 tui_put_lines(struct tui *t, u32 row, u32 max_rows, enum tui_color color, const char *text);
/* the whole row in that colour, with the text at its beginning */
void tui_bar(struct tui *t, u32 row, enum tui_color color, const char *text);
/* number of columns that tui_put() takes */
u32 tui_text_width(const struct tui *t, const char *text);
/* a frame with a title around rows x columns in the middle of the screen; returns where its inside begins */
void tui_box(struct tui *t, u32 rows, u32 columns, const char *title, u32 *ret_row, u32 *ret_column);
enum tui_color tui_share_color(double percent);

/* ---- lists ---- */

/* keeps the selected line in the list and on the screen of this height */
void list_fit(struct screen_list *l, u64 nr, u32 height);

/* ---- screens that others open ---- */

void help_open(struct tui *t, struct screen *s);
/* lines of a text; it is copied */
void text_open(struct tui *t, const char *title, const char *text);
/* the same; ENTER calls picked() with the selected line. help: what that does, a static text */
void text_open_to_pick(struct tui *t, const char *title, const char *text, const char *help,
		       void (*picked)(struct tui *t, void *ctx, const char *line), void *ctx);
/* selects the line of the text on top that is equal to this one, if there is one */
void text_select(struct tui *t, const char *line);

/* items are copied; picked() gets the index after the menu is closed */
struct menu_items { VEC(char *); };
void menu_open(struct tui *t, const char *title, const struct menu_items *items,
	       void (*picked)(struct tui *t, void *ctx, u32 item), void *ctx);
void menu_items_release(struct menu_items *items);

/*
 * a line that the user types; typed() after each change, if it is not NULL; done() after ENTER, and with NULL
 * after ESC, both when the prompt is closed
 */
struct prompt {
	const char *label, *text;
	void (*typed)(struct tui *t, void *ctx, const char *text);
	void (*done)(struct tui *t, void *ctx, const char *text);
	void *ctx;
};
void prompt_open(struct tui *t, const struct prompt *p);

/* opens what a command answered; s: the table that was asked */
void answer_open(struct tui *t, struct screen *s, struct view_answer *a);
/* with the words that an error has */
void tui_say_error(struct tui *t, const struct err *err);

#endif
