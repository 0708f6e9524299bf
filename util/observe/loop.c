/* Loop: epoll over rings, signals, child, timers and control. */
#include "loop.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

/*
 * epoll data: kind in the top byte, then the descriptor (to stop watching it), the caller's id in the low
 * half
 */
static u64 pack(enum loop_kind kind, int fd, u32 id)
{
	return (u64)kind << 56 | (u64)(fd & 0xffffff) << 32 | id;
}

static int watch_for(struct loop *l, int fd, u32 events, enum loop_kind kind, u32 id, struct err *err)
{
	struct epoll_event ev = { .events = events, .data.u64 = pack(kind, fd, id) };

	if (epoll_ctl(l->epfd, EPOLL_CTL_ADD, fd, &ev) < 0)
		return err_sys(err, errno, "cannot wait for a descriptor");
	return 0;
}

static int watch(struct loop *l, int fd, enum loop_kind kind, u32 id, struct err *err)
{
	return watch_for(l, fd, EPOLLIN, kind, id, err);
}

int loop_init(struct loop *l, struct err *err)
{
	*l = (struct loop)LOOP_NONE;
	return loop_reopen(l, err);
}

int loop_reopen(struct loop *l, struct err *err)
{
	l->epfd = epoll_create1(EPOLL_CLOEXEC);
	if (l->epfd < 0)
		return err_sys(err, errno, "cannot create an epoll descriptor");
	return l->sigfd < 0 ? 0 : watch(l, l->sigfd, LOOP_SIGNAL, 0, err);
}

int loop_add_signals(struct loop *l, const int *sig, int nr, struct err *err)
{
	sigset_t set;

	sigemptyset(&set);
	for (int i = 0; i < nr; i++)
		sigaddset(&set, sig[i]);
	if (sigprocmask(SIG_BLOCK, &set, &l->old_mask) < 0)
		return err_sys(err, errno, "cannot block signals");
	l->masked = true;
	l->sigfd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (l->sigfd < 0)
		return err_sys(err, errno, "cannot create a signal descriptor");
	return watch(l, l->sigfd, LOOP_SIGNAL, 0, err);
}

int loop_add_ring(struct loop *l, int fd, u32 id, struct err *err)
{
	return watch(l, fd, LOOP_RING, id, err);
}

int loop_add_ring_hup(struct loop *l, int fd, u32 id, struct err *err)
{
	return watch_for(l, fd, 0, LOOP_RING, id, err);
}

int loop_add_fd(struct loop *l, int fd, u32 id, struct err *err)
{
	return watch(l, fd, LOOP_FD, id, err);
}

int loop_add_wakeups(struct loop *l, int fd, u32 id, struct err *err)
{
	return watch_for(l, fd, EPOLLIN | EPOLLET, LOOP_FD, id, err);
}

int loop_add_child(struct loop *l, int pidfd, struct err *err)
{
	return watch(l, pidfd, LOOP_CHILD, 0, err);
}

void loop_del_fd(struct loop *l, int fd)
{
	epoll_ctl(l->epfd, EPOLL_CTL_DEL, fd, NULL);
}

static struct timespec to_timespec(u64 ns)
{
	return (struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
}

int loop_set_timer(struct loop *l, unsigned int timer, u64 first_ns, u64 interval_ns, struct err *err)
{
	struct itimerspec its = { .it_value = to_timespec(first_ns),
				  .it_interval = to_timespec(interval_ns) };
	int *fd = &l->timer[timer];

	if (*fd < 0) {
		int ret;

		*fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
		if (*fd < 0)
			return err_sys(err, errno, "cannot create a timer");
		ret = watch(l, *fd, LOOP_TIMER, timer, err);
		if (ret < 0)
			return ret;
	}
	if (timerfd_settime(*fd, 0, &its, NULL) < 0)
		return err_sys(err, errno, "cannot set a timer");
	return 0;
}

/* false: there is nothing to report */
static bool translate(struct loop *l, const struct epoll_event *e, struct loop_event *out)
{
	struct signalfd_siginfo si;
	int fd = e->data.u64 >> 32 & 0xffffff;
	u64 ticks;

	out->kind = e->data.u64 >> 56;
	out->id = (u32)e->data.u64;
	switch (out->kind) {
	case LOOP_RING:
		if (e->events & (EPOLLHUP | EPOLLERR)) {
			loop_del_fd(l, fd);
			out->kind = LOOP_RING_HUP;
		}
		return true;
	case LOOP_SIGNAL:
		if (read(l->sigfd, &si, sizeof(si)) != sizeof(si))
			return false;
		out->id = si.ssi_signo;
		return true;
	case LOOP_TIMER:
		return read(fd, &ticks, sizeof(ticks)) == sizeof(ticks);
	case LOOP_CHILD:
		loop_del_fd(l, fd);
		return true;
	default:
		return true;
	}
}

int loop_wait(struct loop *l, struct loop_event *ev, int max)
{
	struct epoll_event e[64];
	int n, out = 0;

	do
		n = epoll_wait(l->epfd, e, MIN(max, (int)ARRAY_SIZE(e)), -1);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++)
		out += translate(l, &e[i], &ev[out]);
	return out;
}

int loop_take_signal(struct loop *l)
{
	struct signalfd_siginfo si;

	return l->sigfd >= 0 && read(l->sigfd, &si, sizeof(si)) == sizeof(si) ? (int)si.ssi_signo : 0;
}

bool loop_wait_fd(const struct loop *l, int fd, int timeout_ms)
{
	struct pollfd p[] = { { .fd = fd, .events = POLLIN }, { .fd = l->sigfd, .events = POLLIN } };

	while (poll(p, ARRAY_SIZE(p), timeout_ms) < 0)
		if (errno != EINTR)
			return false;
	return p[0].revents;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void loop_clear(struct loop *l)
{
	for (int i = 0; i < LOOP_TIMERS; i++)
		close_fd(&l->timer[i]);
	close_fd(&l->epfd);
}

void loop_release(struct loop *l)
{
	loop_clear(l);
	close_fd(&l->sigfd);
	if (l->masked)
		sigprocmask(SIG_SETMASK, &l->old_mask, NULL);
	l->masked = false;
}
