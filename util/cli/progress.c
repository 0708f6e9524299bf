/* Progress bar. */
#include "progress.h"
#include "../base/log.h"
#include "../base/units.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define QUIET_NS 1000000000ull	/* shorter work shows nothing */
#define REDRAW_NS 100000000ull

static struct {
	const char *title;
	u64 next_ns;		/* when the bar is drawn next */
	bool drawn;
} bar;

void progress_begin(const char *title)
{
	progress_end();
	if (log_level < 0 || !isatty(STDERR_FILENO))
		return;
	bar.title = title;
	bar.next_ns = clock_ns(CLOCK_MONOTONIC) + QUIET_NS;
}

static void draw(u64 done, u64 total)
{
	struct winsize ws;
	int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) || ws.ws_col < 40 ? 80 : ws.ws_col;
	int room = MAX(10, MIN(40, width - (int)strlen(bar.title) - 12));
	double part = total ? MIN(1.0, (double)done / total) : 0;
	int full = part * room;

	if (!total)
		fprintf(stderr, "\r%s...\033[K", bar.title);
	else
		fprintf(stderr, "\r%s [%.*s%*s] %3.0f%%\033[K", bar.title, full,
			"########################################", room - full, "", part * 100);
	fflush(stderr);
	bar.drawn = true;
}

void progress_update(u64 done, u64 total)
{
	u64 now;

	if (!bar.title)
		return;
	now = clock_ns(CLOCK_MONOTONIC_COARSE);
	if (now < bar.next_ns)
		return;
	bar.next_ns = now + REDRAW_NS;
	draw(done, total);
}

void progress_end(void)
{
	if (bar.drawn) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	bar.title = NULL;
	bar.drawn = false;
}
