/* Progress bar. */
#include "progress.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/progress.h"
#include "../base/units.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#define BAR_MAX 40
#define BAR_LINE 256

static volatile sig_atomic_t running, drawn;

/*
 * one line, which overwrites itself; the cursor is left at the start of the line, so that a warning
 * overwrites it
 */
static size_t format(char *line, size_t size, const struct progress *p, int width)
{
	int room = MIN(BAR_MAX, width - (int)strlen(p->what) - 12), full;
	double part;

	if (!p->total || room < 5)
		return snprintf(line, size, "\r%.*s...\033[K\r", MAX(width - 5, 1), p->what);
	part = MIN(1.0, (double)p->done / p->total);
	full = part * room;
	return snprintf(line, size, "\r%s [%.*s%*s] %3.0f%%\033[K\r", p->what, full,
			"########################################", room - full, "", part * 100);
}

/* in a signal handler: numbers are formatted into local memory, and one write(2) shows them */
static void draw(int sig)
{
	struct progress p = progress_now();
	int saved = errno;
	struct winsize ws;
	char line[BAR_LINE];
	size_t len;

	if (running && p.what) {
		len = format(line, sizeof(line), &p,
			     ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) || !ws.ws_col ? 80 : ws.ws_col);
		fd_write_all(STDERR_FILENO, line, MIN(len, sizeof(line) - 1));
		drawn = 1;
	}
	errno = saved;
}

void progress_begin(void)
{
	static const struct itimerval ticks = { .it_value = { .tv_sec = 1 },
						.it_interval = { .tv_usec = 200000 } };
	struct sigaction sa = { .sa_handler = draw, .sa_flags = SA_RESTART };

	if (running || log_level < 0 || !isatty(STDERR_FILENO))
		return;
	running = 1;
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &ticks, NULL);
}

void progress_end(void)
{
	static const struct itimerval none;
	static const char erase[] = "\r\033[K";

	if (!running)
		return;
	running = 0;
	setitimer(ITIMER_REAL, &none, NULL);
	if (drawn)
		fd_write_all(STDERR_FILENO, erase, sizeof(erase) - 1);
	drawn = 0;
}
