/* Terminal: see terminal.h. */
#include "terminal.h"

#define CLEAR "\033[H\033[2J"

#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_keys_begin(struct terminal *t)
{
	struct termios raw;

	if (tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &t->old))
		return false;
	raw = t->old;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	t->keys = !tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	return t->keys;
}

void terminal_keys_end(struct terminal *t)
{
	if (t->keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &t->old);
	t->keys = false;
}

bool terminal_size(int fd, unsigned int *ret_rows, unsigned int *ret_columns)
{
	struct winsize ws;

	if (ioctl(fd, TIOCGWINSZ, &ws) || !ws.ws_row || !ws.ws_col)
		return false;
	*ret_rows = ws.ws_row;
	*ret_columns = ws.ws_col;
	return true;
}

void terminal_cut_lines(struct strbuf *out, const char *text, size_t len, unsigned int columns)
{
	unsigned int column = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = text[i];

		if (c == '\033') {	/* up to its last letter */
			while (i < len &&
			       !((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z')))
				strbuf_addch(out, text[i++]);
			if (i < len)
				strbuf_addch(out, text[i]);
			continue;
		}
		if (c == '\n')
			column = 0;
		else if ((c & 0xc0) != 0x80)
			column++;
		if (column <= columns)
			strbuf_addch(out, c);
	}
}

int terminal_show(const struct strbuf *text, unsigned int columns)
{
	struct strbuf cut = STRBUF_INIT;
	const struct strbuf *all = columns ? &cut : text;
	bool done;

	if (columns) {
		strbuf_addstr(&cut, CLEAR);
		terminal_cut_lines(&cut, strbuf_str(text), text->len, columns);
	}
	errno = 0;
	done = fwrite(strbuf_str(all), 1, all->len, stdout) == all->len && !fflush(stdout);
	strbuf_release(&cut);
	return done ? 0 : errno ? -errno : -EIO;
}
