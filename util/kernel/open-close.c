/* Open-close: passes descriptors of events to the kernel. */
#include "open-close.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "open-private.h"
#include "../base/log.h"
#include "../base/vec.h"

/* what could not be passed on: at most one set of events */
static struct {
	VEC(int);
} left;

static void close_all(const int *fd, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		close_raw(fd[i]);
}

/*
 * the files then belong to the ring as well, which is closed at once: its worker closes them. 0 or a negative
 * errno
 */
static int hand_over(const int *fd, size_t nr)
{
	struct io_uring_params p = { 0 };
	int ring = syscall(SYS_io_uring_setup, 1, &p), ret;

	if (ring < 0)
		return -errno;
	ret = syscall(SYS_io_uring_register, ring, IORING_REGISTER_FILES, fd,
		      (unsigned int)nr) < 0 ? -errno : 0;
	if (!ret)
		close_all(fd, nr);
	close(ring);
	return ret;
}

void close_in_background(const int *fd, size_t nr)
{
	int ret;

	for (size_t i = 0; i < nr; i++)
		open_ioctl(fd[i], PERF_EVENT_IOC_DISABLE, 0);
	ret = open_is_scripted() ? -ENOSYS : hand_over(fd, nr);
	if (!ret) {
		log_v("%zu tracepoint%s closed by the kernel, also after the end of perf", nr,
		      nr == 1 ? " is" : "s are");
		return;
	}
	log_v("%zu tracepoint%s closed at the end of perf, one by one: no io_uring (%s)", nr,
	      nr == 1 ? " is" : "s are", strerror(-ret));
	close_all(left.v, left.nr);
	left.nr = 0;
	for (size_t i = 0; i < nr; i++)
		vec_push(&left, fd[i]);
}
