/* What the files of perf top share: the terminal interface of live tables. */
#ifndef PERF_BUILTIN_TOP_H
#define PERF_BUILTIN_TOP_H

#include "ui/tui/tui.h"
#include "util/observe/observer.h"

struct top_screen {
	struct tui *tui;		/* NULL: text is printed */
	struct view *shown;		/* a copy: the counts change */
	bool frozen;			/* what is shown stays */
	bool *zero;			/* of the command: every table begins from zero */
};

/* opens the terminal and watches its keys. 0, or a negative errno with err */
int top_screen_begin(struct top_screen *s, struct observer *ob, struct err *err);
/* shows a view with a line above it; copies both */
void top_screen_show(struct top_screen *s, const struct view *v, const char *line);
/* handles keys; false: the user leaves */
bool top_screen_handle(struct top_screen *s);
void top_screen_end(struct top_screen *s);

#endif
