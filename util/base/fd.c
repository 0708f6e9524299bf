/* Fd: see fd.h. */
#include "fd.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

bool fd_try_again(int fd, int error, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	if (error == EINTR)
		return true;
	if (error != EAGAIN && error != EWOULDBLOCK)
		return false;
	/* what poll reports about a descriptor that is broken, the next call says better */
	return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

ssize_t fd_read_some(int fd, void *buf, size_t len)
{
	ssize_t n;

	do
		n = read(fd, buf, len);
	while (n < 0 && fd_try_again(fd, errno, POLLIN));
	return n < 0 ? -errno : n;
}
