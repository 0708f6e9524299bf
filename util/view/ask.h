/*
 * Ask: what a command answers while its view is shown: another view, a listing or a text. A question is a row
 * of a table, so that an interface makes keys, menus and help from it and knows none of them.
 */
#ifndef PERF_VIEW_ASK_H
#define PERF_VIEW_ASK_H

#include "../base/err.h"
#include "listing.h"

enum view_input {
	VIEW_INPUT_NONE,
	VIEW_INPUT_TEXT,	/* the user types a text */
	VIEW_INPUT_CHOICE,	/* the user takes one of the texts that choices() gives */
};

struct view_question {
	char key;		/* 'a' */
	const char *word;	/* "annotate": what answer() is asked */
	const char *text;	/* for menus and help: "Annotate this function" */
	const char *busy;	/* while it is answered: "Counting samples by instruction" */
	enum view_input input;
	const char *prompt;	/* what is typed or chosen: "Sort keys" */
	bool of_row;		/* it is about a row */
	bool of_group;		/* only of tables with several events */
	char last_key;		/* any key up to this one asks it, and is its input; 0: key alone */
};

/* one of the first three is set. It belongs to the command until drop() */
struct view_answer {
	struct view *view;		/* replaces the one that was asked */
	struct view_listing *listing;
	char *text;			/* lines */
	char line_key;			/* of the question that each line of text asks; 0: none */
	char title[128];		/* of text and listing */
	void *data;			/* of the command */
};

struct view_texts { VEC(char *); };	/* heap texts */

struct view_asker {
	void *ctx;
	const struct view_question *question;
	u32 nr;
	/* appends what can be chosen, heap texts; NULL if no question has a choice */
	void (*choices)(void *ctx, const struct view_question *q, struct view_texts *out);
	/* row: of t. input: what was typed or chosen, or NULL. 0, or a negative errno with err */
	int (*answer)(void *ctx, const struct view_question *q, const struct view_table *t, size_t row,
		      const char *input, struct view_answer *ret, struct err *err);
	/* the code to which a jump or call of a listing goes; NULL: cannot be asked */
	int (*follow)(void *ctx, const struct view_listing *l, const struct listing_line *line,
		      struct view_answer *ret, struct err *err);
	/* the same code with what is counted by now. NULL, or false: nothing has changed */
	bool (*renew)(void *ctx, const struct view_listing *l, struct view_answer *ret);
	void (*drop)(void *ctx, struct view_answer *a);
};

#endif
