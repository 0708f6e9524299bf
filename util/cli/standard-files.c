/* Standard files: see standard-files.h. */
#include "standard-files.h"
#include "../base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/*
 * A descriptor that the caller has closed stays useless, but taken: otherwise a file that is opened here
 * could get the number to which messages go. It is opened with the wrong access mode, so that reading and
 * writing fail as on a closed one; commands that are started see it closed.
 */
static void keep_standard_fds(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | O_CLOEXEC) < 0)
			return;
}

static ssize_t write_waiting(void *cookie, const char *text, size_t len)
{
	int ret = fd_write_all((intptr_t)cookie, text, len);

	if (!ret)
		return len;
	errno = -ret;
	return 0;
}

/*
 * The flag is not cleared: it belongs to all processes that share the pipe's end. stdio does not know EAGAIN
 */
static void wait_for_reader(FILE **file, int fd, int buffering)
{
	int flags = fcntl(fd, F_GETFL);
	FILE *f;

	if (flags < 0 || !(flags & O_NONBLOCK))
		return;
	f = fopencookie((void *)(intptr_t)fd, "w", (cookie_io_functions_t){ .write = write_waiting });
	if (!f)
		return;
	setvbuf(f, NULL, isatty(fd) && buffering == _IOFBF ? _IOLBF : buffering, BUFSIZ);
	*file = f;
}

void standard_files_init(void)
{
	keep_standard_fds();
	wait_for_reader(&stdout, STDOUT_FILENO, _IOFBF);
	wait_for_reader(&stderr, STDERR_FILENO, _IONBF);
}
