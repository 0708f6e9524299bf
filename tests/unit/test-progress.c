/* Progress: what a terminal shows. */
#include "../../util/base/log.h"
#include "../../util/base/progress.h"
#include "../../util/cli/progress.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_terminal(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave;

	if (master < 0 || grantpt(master) || unlockpt(master))
		return -1;
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0)
		return -1;
	dup2(slave, STDERR_FILENO);
	close(slave);
	return master;
}

#define WAIT_MS 30000

/* waits until the terminal has shown that text, at most that long for each part of it */
static bool shows(int master, const char *text, int wait_ms)
{
	char seen[4096];
	size_t len = 0;
	ssize_t n;

	do {
		seen[len] = '\0';
		if (strstr(seen, text))
			return true;
		struct pollfd pfd = { .fd = master, .events = POLLIN };

		/* the progress takes the timer that would end a test that hangs */
		do
			n = poll(&pfd, 1, wait_ms);
		while (n < 0 && errno == EINTR);
		n = n > 0 && len < sizeof(seen) - 1 ? read(master, seen + len, sizeof(seen) - 1 - len) : 0;
		len += n > 0 ? n : 0;
	} while (n > 0 || (n < 0 && errno == EINTR));
	return false;
}

TEST(terminal_sees_long_work)
{
	int master;

#ifdef __SANITIZE_THREAD__
	SKIP("the thread sanitizer holds signals back");
#endif
	master = open_terminal();
	if (master < 0)
		SKIP("no pseudo-terminals here");
	progress_begin();
	progress_at("reading");
	progress_count(1, 4);
	CHECK(shows(master, "\rreading [##########                              ]  25%\033[K\r", WAIT_MS));
	progress_at("sorting");		/* the total is not known */
	CHECK(shows(master, "\rsorting...\033[K\r", WAIT_MS));
	progress_end();
	CHECK(shows(master, "\r\033[K", WAIT_MS));
	/* nothing is drawn after it, nor with -q */
	progress_end();
	log_level = -1;
	progress_begin();
	progress_end();
	CHECK(!shows(master, "\r", 100));
	close(master);
}
