/*
 * ttydrive: runs a program on a pseudo-terminal, presses keys and looks at its screen, without a person and
 * without sleeping: it waits until the screen shows something, for WAIT_MS at most.
 *
 *	ttydrive SCRIPT COMMAND ARGUMENT...	(SCRIPT -: standard input)
 *
 * A line of the script is a step:
 *	size ROWS COLUMNS	before the first step or later: the terminal's size
 *	wait TEXT		until TEXT is on the screen
 *	gone TEXT		until it is not
 *	selected TEXT		until a row with a coloured background contains TEXT
 *	key NAME...		UP DOWN LEFT RIGHT PGUP PGDN HOME END F1 TAB UNTAB ENTER ESC BACKSPACE CTRL-x,
 *				ALT-a, or a character
 *	type TEXT		each character
 *	screen			prints the screen
 *	signal NUMBER		sends it; 20 (SIGTSTP) waits until the program is stopped
 *	clean			the terminal must be as it was: modes, cursor, screen
 *	apart			until the program has a screen of its own, without a cursor
 *	fuzz KEYS SEED		presses this number of random keys; begins again where they leave the program
 *	ends STATUS		until the program ends with it; 128 + signal where one ended it
 * Exit status 0, or 1 with the step that failed and the screen on standard error; 77: no pseudo-terminals.
 */
#include "vt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MS 60000		/* a busy machine with sanitizers is slow */

struct drive {
	int master, slave;
	pid_t pid;
	bool ended;
	int status;
	char **argv;		/* of the program */
	struct termios before;
	struct vt vt;
};

static const struct {
	const char *name, *bytes;
} keys[] = {
	{ "UP", "\033OA" }, { "DOWN", "\033OB" }, { "RIGHT", "\033OC" }, { "LEFT", "\033OD" },
	{ "HOME", "\033OH" }, { "END", "\033OF" }, { "PGUP", "\033[5~" }, { "PGDN", "\033[6~" },
	{ "F1", "\033OP" }, { "TAB", "\t" }, { "UNTAB", "\033[Z" }, { "ENTER", "\r" }, { "ESC", "\033" },
	{ "BACKSPACE", "\177" }, { "SPACE", " " }, { "ALT-a", "\033a" },
};

static u64 now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000 + (u64)ts.tv_nsec / 1000000;
}

static void show_screen(const struct vt *v, FILE *f)
{
	char row[4 * VT_MAX_COLUMNS + 1];
	u32 last = v->rows;

	for (; last; last--) {
		vt_row(v, last - 1, row);
		if (*row)
			break;
	}
	for (u32 r = 0; r < last; r++) {
		vt_row(v, r, row);
		fprintf(f, "%s\n", row);
	}
}

/* what the program wrote, waiting for ms at most; false: nothing came */
static bool read_some(struct drive *d, int ms)
{
	struct pollfd p = { d->master, POLLIN, 0 };
	char buf[65536];
	ssize_t len;

	if (poll(&p, 1, ms) <= 0)
		return false;
	len = read(d->master, buf, sizeof(buf));
	if (len > 0)
		vt_write(&d->vt, buf, (size_t)len);
	return len > 0;
}

static void look_at_child(struct drive *d)
{
	int status;

	if (!d->ended && waitpid(d->pid, &status, WNOHANG) == d->pid) {
		d->ended = true;
		d->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	}
}

static void send_bytes(struct drive *d, const char *bytes, size_t len)
{
	while (len && !d->ended) {
		struct pollfd p = { d->master, POLLOUT, 0 };
		ssize_t n;

		/* what the program writes is read meanwhile, or both would wait for each other */
		while (read_some(d, 0))
			;
		if (poll(&p, 1, 100) > 0) {
			n = write(d->master, bytes, len);
			if (n > 0) {
				bytes += n;
				len -= (size_t)n;
			}
		}
		look_at_child(d);
	}
}

static bool on_screen(const struct vt *v, const char *text, bool selected)
{
	char row[4 * VT_MAX_COLUMNS + 1];

	for (u32 r = 0; r < v->rows; r++) {
		vt_row(v, r, row);
		if (strstr(row, text) && (!selected || v->cell[r][0].background == 46 ||
					  v->cell[r][v->columns / 2].background == 46))
			return true;
	}
	return false;
}

enum wanted { WANT_TEXT, WANT_NO_TEXT, WANT_SELECTED };

static bool wait_for(struct drive *d, const char *text, enum wanted what)
{
	u64 end = now_ms() + WAIT_MS;

	for (;;) {
		bool there = on_screen(&d->vt, text, what == WANT_SELECTED);

		if (there == (what != WANT_NO_TEXT))
			return true;
		if (now_ms() > end)
			return false;
		look_at_child(d);
		if (!read_some(d, d->ended ? 0 : 50) && d->ended)
			return on_screen(&d->vt, text, what == WANT_SELECTED) == (what != WANT_NO_TEXT);
	}
}

static bool wait_exit(struct drive *d, int status)
{
	u64 end = now_ms() + WAIT_MS;

	while (!d->ended && now_ms() < end) {
		read_some(d, 20);
		look_at_child(d);
	}
	while (read_some(d, 0))
		;
	if (!d->ended || d->status != status)
		fprintf(stderr, d->ended ? "it ended with %d\n" : "it did not end\n", d->status);
	return d->ended && d->status == status;
}

static bool press(struct drive *d, char *names)
{
	for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
		char ctrl[2] = "";
		const char *bytes = name;

		if (!strncmp(name, "CTRL-", 5)) {
			ctrl[0] = name[5] & 0x1f;
			bytes = ctrl;
		}
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
			if (!strcmp(keys[i].name, name))
				bytes = keys[i].bytes;
		send_bytes(d, bytes, strlen(bytes));
	}
	return true;
}

static void start(struct drive *d)
{
	d->ended = false;
	d->pid = fork();
	if (d->pid)
		return;
	setsid();
	ioctl(d->slave, TIOCSCTTY, 0);
	dup2(d->slave, 0);
	dup2(d->slave, 1);
	dup2(d->slave, 2);
	execvp(d->argv[0], d->argv);
	perror(d->argv[0]);
	_exit(127);
}

/* until the program has read all keys, and reads no more for a moment; false: it ended, or does not read */
static bool wait_until_read(struct drive *d)
{
	u64 end = now_ms() + WAIT_MS;

	for (u32 quiet = 0; quiet < 5 && !d->ended;) {
		int waiting = 0;

		ioctl(d->slave, FIONREAD, &waiting);
		quiet = waiting ? 0 : quiet + 1;
		while (read_some(d, 20))
			;
		look_at_child(d);
		if (now_ms() > end)
			return false;
	}
	return true;
}

/* random keys; those that leave are rare, or little else would be tried */
static bool fuzz(struct drive *d, u64 nr, u64 seed)
{
	static const char often[] = "+-eECdtkFHaoOstJjkbpnN/\tim \r\177VlPy";
	struct winsize ws = { .ws_row = 24, .ws_col = 80 };

	srandom((unsigned int)seed);
	for (u64 i = 0; i < nr; i++) {
		long r = random() % 100;
		char c;

		if (r < 45) {
			const char *bytes = keys[random() % 9].bytes;

			send_bytes(d, bytes, strlen(bytes));
		} else if (r < 90) {
			c = often[random() % (long)(sizeof(often) - 1)];
			send_bytes(d, &c, 1);
		} else if (r < 98) {
			c = (char)(' ' + random() % 95);
			if (c != 'q' && c != 's' && c != 'r')
				send_bytes(d, &c, 1);
		} else if (i % 50 == 0) {
			ws.ws_row = (unsigned short)(1 + random() % 60);
			ws.ws_col = (unsigned short)(1 + random() % 150);
			vt_resize(&d->vt, ws.ws_row, ws.ws_col);
			ioctl(d->master, TIOCSWINSZ, &ws);
		} else if (i % 20 == 0) {
			send_bytes(d, "\033", 1);
			read_some(d, 150);	/* an ESC alone */
		}
		if (i % 64 == 0)
			while (read_some(d, 0))
				;
		look_at_child(d);
		if (d->ended && d->status) {
			fprintf(stderr, "it ended with %d after %lu keys\n", d->status, i);
			return false;
		}
		if (d->ended)
			start(d);
	}
	if (!wait_until_read(d))
		fprintf(stderr, "it does not read its keys\n");
	else if (d->ended && d->status)
		fprintf(stderr, "it ended with %d after the last key\n", d->status);
	else
		return true;
	return false;
}

static bool is_clean(struct drive *d)
{
	struct termios after;

	tcgetattr(d->slave, &after);
	if (after.c_lflag != d->before.c_lflag || after.c_iflag != d->before.c_iflag ||
	    after.c_oflag != d->before.c_oflag || memcmp(after.c_cc, d->before.c_cc, sizeof(after.c_cc)))
		fprintf(stderr, "the modes of the terminal are not as before\n");
	else if (d->vt.cursor_hidden || d->vt.alternate)
		fprintf(stderr, "the cursor is hidden, or the other screen is shown\n");
	else
		return true;
	return false;
}

static bool wait_apart(struct drive *d)
{
	u64 end = now_ms() + WAIT_MS;

	while (!(d->vt.cursor_hidden && d->vt.alternate) && !d->ended && now_ms() < end) {
		read_some(d, 50);
		look_at_child(d);
	}
	return d->vt.cursor_hidden && d->vt.alternate;
}

static bool send_signal(struct drive *d, int sig)
{
	int status;

	kill(d->pid, sig);
	if (sig != SIGTSTP)
		return true;
	while (waitpid(d->pid, &status, WUNTRACED) == d->pid)
		if (WIFSTOPPED(status)) {
			while (read_some(d, 0))
				;
			return true;
		}
	return false;
}

static bool set_size(struct drive *d, const char *arg)
{
	struct winsize ws = { 0 };

	if (sscanf(arg, "%hu %hu", &ws.ws_row, &ws.ws_col) != 2)
		return false;
	vt_resize(&d->vt, ws.ws_row, ws.ws_col);
	return !ioctl(d->master, TIOCSWINSZ, &ws);
}

static bool step(struct drive *d, const char *word, char *arg)
{
	unsigned long nr = 0, seed = 0;

	if (!strcmp(word, "size"))
		return set_size(d, arg);
	if (!strcmp(word, "wait"))
		return wait_for(d, arg, WANT_TEXT);
	if (!strcmp(word, "gone"))
		return wait_for(d, arg, WANT_NO_TEXT);
	if (!strcmp(word, "selected"))
		return wait_for(d, arg, WANT_SELECTED);
	if (!strcmp(word, "key"))
		return press(d, arg);
	if (!strcmp(word, "type"))
		return send_bytes(d, arg, strlen(arg)), true;
	if (!strcmp(word, "screen"))
		return show_screen(&d->vt, stdout), true;
	if (!strcmp(word, "signal"))
		return send_signal(d, atoi(arg));
	if (!strcmp(word, "clean"))
		return is_clean(d);
	if (!strcmp(word, "apart"))
		return wait_apart(d);
	if (!strcmp(word, "ends"))
		return wait_exit(d, atoi(arg));
	if (!strcmp(word, "fuzz") && sscanf(arg, "%lu %lu", &nr, &seed) == 2)
		return fuzz(d, nr, seed);
	fprintf(stderr, "ttydrive: no step '%s'\n", word);
	return false;
}

static int open_terminal(struct drive *d)
{
	struct winsize ws = { .ws_row = 24, .ws_col = 80 };

	d->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (d->master < 0 || grantpt(d->master) || unlockpt(d->master))
		return -1;
	d->slave = open(ptsname(d->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (d->slave < 0)
		return -1;
	ioctl(d->master, TIOCSWINSZ, &ws);
	tcgetattr(d->slave, &d->before);
	vt_init(&d->vt, ws.ws_row, ws.ws_col);
	return 0;
}

int main(int argc, char **argv)
{
	static struct drive d;
	static char line[8192], word[16];
	FILE *f = argc > 2 ? strcmp(argv[1], "-") ? fopen(argv[1], "r") : stdin : NULL;
	bool started = false;
	u32 nr = 0;

	if (!f) {
		fprintf(stderr, "usage: ttydrive SCRIPT COMMAND...\n");
		return 1;
	}
	if (open_terminal(&d))
		return 77;
	while (fgets(line, sizeof(line), f)) {
		char *arg = line + strcspn(line, " \n");

		nr++;
		line[strcspn(line, "\n")] = '\0';
		snprintf(word, sizeof(word), "%.*s", (int)(arg - line), line);
		if (!*word || *word == '#')
			continue;
		if (!started && strcmp(word, "size")) {
			d.argv = argv + 2;
			start(&d);
			started = true;
		}
		if (!step(&d, word, *arg ? arg + 1 : arg)) {
			fprintf(stderr, "ttydrive: line %u: %s failed; the screen:\n", nr, line);
			show_screen(&d.vt, stderr);
			if (!d.ended)
				kill(d.pid, SIGKILL);
			return 1;
		}
	}
	if (!d.ended)
		kill(d.pid, SIGKILL);
	if (d.vt.nr_unknown || d.vt.nr_raw_controls)
		fprintf(stderr, "ttydrive: %lu sequences are not known, %lu control characters\n",
			d.vt.nr_unknown, d.vt.nr_raw_controls);
	return d.vt.nr_unknown || d.vt.nr_raw_controls;
}
