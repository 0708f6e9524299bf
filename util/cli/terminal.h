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
 * keys of standard input are read one by one and not shown; false where it is no terminal, or this program is
 * in the background
 */
bool terminal_keys_begin(struct terminal *t);
void terminal_keys_end(struct terminal *t);
/* of the terminal behind fd; false where it is none */
bool terminal_size(int fd, unsigned int *ret_rows, unsigned int *ret_columns);
/*
 * Writes a text to standard output: with columns as all that the terminal shows, its lines cut to so many;
 * with 0 as it is. 0 or a negative errno
 */
int terminal_show(const struct strbuf *text, unsigned int columns);
/* appends text with its lines cut to so many columns; escape sequences take none */
void terminal_cut_lines(struct strbuf *out, const char *text, size_t len, unsigned int columns);

#endif
