/*
 * Terminal: keys as they are typed, and the size, for commands that redraw a screen. What was set is put back
 * by terminal_keys_end(), which commands call wherever they end.
 */
#ifndef PERF_CLI_TERMINAL_H
#define PERF_CLI_TERMINAL_H

#include <termios.h>
#include "../base/strbuf.h"

struct terminal {
	struct termios old;
	bool keys;
};

/*
 * reads keys of standard input one by one, without showing them; false if it is not a terminal, or this
 * program runs in the background
 */
bool terminal_keys_begin(struct terminal *t);
void terminal_keys_end(struct terminal *t);
/* size of the terminal of fd; false if fd is not a terminal */
bool terminal_size(int fd, unsigned int *ret_rows, unsigned int *ret_columns);
/*
 * Writes a text to standard output in place of all that the terminal shows, with lines cut to columns; as it
 * is if columns is 0. 0 or a negative errno
 */
int terminal_show(const struct strbuf *text, unsigned int columns);
/* appends text with its lines cut to a number of columns; escape sequences take none */
void terminal_cut_lines(struct strbuf *out, const char *text, size_t len, unsigned int columns);

#endif
