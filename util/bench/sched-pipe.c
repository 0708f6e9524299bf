/* sched pipe: two tasks that wake each other, each by writing to the pipe that the other one reads. */
#include "bench.h"
#include "team.h"
#include "../base/alloc.h"
#include "../base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WRITE_MAX (1u << 20)

struct pipe_bench {
	u64 loops, bytes;
	bool nonblocking;
	int pipes[2][2];		/* member n reads the first end of pipe n */
	const char *cgroup[2];		/* of each member, or NULL */
};

/* all bytes of one message; the descriptors may be nonblocking */
static int transfer(int fd, char *buf, u64 len, bool writing, int epoll)
{
	struct epoll_event ev;

	for (u64 done = 0; done < len;) {
		ssize_t n = writing ? write(fd, buf + done, len - done) : read(fd, buf + done, len - done);

		if (n < 0 && errno == EAGAIN && !writing)
			epoll_wait(epoll, &ev, 1, -1);
		else if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		else if (!n)
			return -EPIPE;
		done += n > 0 ? n : 0;
	}
	return 0;
}

static int watch(int fd)
{
	struct epoll_event ev = { .events = EPOLLIN };
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	if (epoll >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &ev) < 0) {
		close(epoll);
		return -1;
	}
	return epoll;
}

static int enter_cgroup(const char *name, bool thread)
{
	char *path = xasprintf("/sys/fs/cgroup/%s/%s", name, thread ? "cgroup.threads" : "cgroup.procs");
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret = fd < 0 ? -errno : 0;
	char id[24];
	int len = snprintf(id, sizeof(id), "%ld", syscall(SYS_gettid));

	free(path);
	if (!ret && write(fd, id, len) != len)
		ret = -errno;
	if (fd >= 0)
		close(fd);
	return ret;
}

/* the other one does not wait for it any longer */
static int leave(struct pipe_bench *p, u32 nr, int code)
{
	close(p->pipes[nr][0]);
	close(p->pipes[!nr][1]);
	p->pipes[nr][0] = p->pipes[!nr][1] = -1;
	return code;
}

static int work(struct bench_member *m)
{
	struct pipe_bench *p = m->team->ctx;
	int from = p->pipes[m->nr][0], to = p->pipes[!m->nr][1], epoll = -1, ret = 0;
	char *buf = xcalloc(1, p->bytes);

	if (m->team->processes)
		leave(p, !m->nr, 0);	/* the ends of the other one */
	if (p->cgroup[m->nr])
		ret = enter_cgroup(p->cgroup[m->nr], !m->team->processes);
	if (!ret && p->nonblocking) {
		epoll = watch(from);
		ret = epoll < 0 ? -errno : 0;
	}
	for (u64 i = 0; !ret && i < p->loops; i++) {
		/* the first one begins */
		ret = transfer(m->nr ? from : to, buf, p->bytes, !m->nr, epoll);
		if (!ret)
			ret = transfer(m->nr ? to : from, buf, p->bytes, m->nr, epoll);
	}
	if (epoll >= 0)
		close(epoll);
	free(buf);
	return ret ? leave(p, m->nr, ret) : 0;
}

static int check(const struct bench_opts *o, const struct pipe_bench *p, struct err *err)
{
	if (p->bytes > WRITE_MAX)
		return err_set(err, -EINVAL, "a message of %" PRIu64 " bytes is too long: %u is the limit",
			       p->bytes, WRITE_MAX);
	if (p->cgroup[0] && o->use_threads)
		return err_set(err, -EINVAL, "-G and -T exclude each other: control groups have processes");
	return 0;
}

static void close_pipes(struct pipe_bench *p)
{
	for (int i = 0; i < 4; i++)
		if (p->pipes[i / 2][i % 2] >= 0) {
			close(p->pipes[i / 2][i % 2]);
			p->pipes[i / 2][i % 2] = -1;
		}
}

int bench_sched_pipe(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	struct pipe_bench p = { .loops = o->loops ? o->loops : 1000000,
				.bytes = o->write_size ? o->write_size : 4,
				.nonblocking = o->nonblocking,
				.pipes = { { -1, -1 }, { -1, -1 } },
				.cgroup = { o->send_cgroup, o->receive_cgroup } };
	struct bench_team team = { .size = 2, .processes = !o->use_threads, .work = work, .ctx = &p };
	int flags = o->nonblocking ? O_NONBLOCK : 0, ret = check(o, &p, err);
	u64 begin = 0;

	if (ret)
		return ret;
	if (pipe2(p.pipes[0], flags) < 0 || pipe2(p.pipes[1], flags) < 0)
		ret = err_sys(err, errno, "cannot make a pipe");
	if (!ret)
		ret = bench_team_start(&team, &begin, err);
	if (!ret) {
		if (team.processes)
			close_pipes(&p);
		ret = bench_team_join(&team);
		if (ret)
			err_set(err, ret, "a task of the benchmark failed%s",
				p.cgroup[0] ? ": are the names those of control groups, in cgroup v2?" : "");
	}
	begin = clock_ns(CLOCK_MONOTONIC) - begin;
	bench_team_release(&team);
	close_pipes(&p);
	if (ret)
		return ret;
	bench_say(sink, "# Executed %" PRIu64 " pipe operations between two %s", p.loops,
		  o->use_threads ? "threads" : "processes");
	bench_say(sink, "%s", "");
	bench_put_total(sink, begin);
	bench_put_rate(sink, begin, p.loops);
	return 0;
}
