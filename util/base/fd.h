/*
 * Fd: reading and writing of descriptors that somebody else may have made non-blocking (node, ssh, tmux and
 * asyncio hand out such pipes): who reads or writes waits until the other side is ready.
 */
#ifndef PERF_BASE_FD_H
#define PERF_BASE_FD_H

#include <sys/types.h>
#include "types.h"

/*
 * After a read(2) or write(2) that failed with this errno: true if it is to be tried again. Waits for the
 * other side where the descriptor does not block; events: POLLIN or POLLOUT
 */
bool fd_try_again(int fd, int error, short events);
/* read(2) that waits; the number of bytes, 0 at the end, or a negative errno */
ssize_t fd_read_some(int fd, void *buf, size_t len);

#endif
