/* Watch: see watch.h. */
#include "watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../base/log.h"
#include "guard.h"

#define TRIES 100		/* of removing a probe that the kernel still uses */
#define TRY_US 50000
#define LOOK_MS 1000		/* how often the rates of the probes are looked at */

static void remove_all(const struct probe_plan *plan)
{
	vec_foreach(plan, d)
		for (int i = 0; i < TRIES; i++) {
			struct err err;

			/* the kernel may still be closing the events of a killed process */
			if (probe_event_delete(d->group, d->event, d->is_user, &err) != -EBUSY)
				break;
			usleep(TRY_US);
		}
}

static void warn_of_rate(struct probe_guard *g)
{
	struct strbuf text = STRBUF_INIT;

	if (probe_guard_look(g, &text)) {
		log_warn("%s", text.buf);
		log_note("a place that is reached less often costs less; for a hot function, sampling tells "
			 "as much: perf record -e cpu-clock");
	}
	strbuf_release(&text);
}

/* returns when the other end of fd is closed, or has nothing more to say */
static void wait_for_end(const struct probe_plan *plan, int fd)
{
	struct probe_guard guard = { .plan = plan };
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int ret;

	while ((ret = poll(&p, 1, guard.has_warned ? -1 : LOOK_MS)) <= 0)
		if (!ret)
			warn_of_rate(&guard);
		else if (errno != EINTR)
			break;
	probe_guard_release(&guard);
}

static void keep_watch(const struct probe_plan *plan, int fd, int lock_fd, const char *path)
{
	sigset_t all;

	/* no signal for the group of the recording ends it */
	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int i = 0; i < 1024; i++)
		if (i != fd && i != lock_fd && i != STDERR_FILENO)
			close(i);
	wait_for_end(plan, fd);
	/* who reads our errors need not wait for the rest */
	close(STDERR_FILENO);
	remove_all(plan);
	if (path)
		unlink(path);
}

/* a child of init, so that waiting for other children never meets it */
int probe_watch_begin(const struct probe_plan *plan, int lock_fd, const char *path, struct err *err)
{
	int pair[2], status;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return err_sys(err, errno, "cannot watch over probes");
	pid = fork();
	if (!pid) {
		close(pair[0]);
		pid = fork();
		if (!pid)
			keep_watch(plan, pair[1], lock_fd, path);
		_exit(pid < 0);
	}
	close(pair[1]);
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status) {
		close(pair[0]);
		return err_set(err, -EAGAIN, "cannot start a process that watches over probes");
	}
	return pair[0];
}

void probe_watch_end(int fd)
{
	char c;

	/* its end is closed when it has ended; if it cannot be told, close() does, and nobody waits */
	if (!shutdown(fd, SHUT_WR))
		while (read(fd, &c, 1) < 0 && errno == EINTR)
			;
	close(fd);
}
