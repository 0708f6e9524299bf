/*
 * Signals: the terminal is put back before a signal stops or ends the program; the others are read from a
 * file descriptor. Handlers call only what is safe in them.
 */
#ifndef PERF_TUI_SIGNALS_H
#define PERF_TUI_SIGNALS_H

#include <termios.h>
#include "../../util/base/types.h"

struct tui_tty {
	int fd;
	struct termios before, during;	/* of the interface */
	const char *farewell, *welcome;	/* bytes that leave it, and enter it again */
};

/* from now on; tty is copied. 0 or a negative errno */
int signals_begin(const struct tui_tty *tty);
void signals_end(void);
/* readable when a signal came */
int signals_fd(void);
/* what came since the last call */
struct signals_seen {
	bool interrupt;		/* SIGINT */
	bool redraw;		/* another size, or the program was stopped and goes on */
};
struct signals_seen signals_read(void);
/* meanwhile SIGINT ends the program at once: it computes, and does not look at keys */
void signals_busy(bool busy);

#endif
