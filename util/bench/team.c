/* Teams: tasks that begin together. */
#include "team.h"
#include "../base/alloc.h"
#include "../base/units.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

u32 bench_team_size(u32 nr)
{
	cpu_set_t cpus;

	if (nr)
		return nr;
	return sched_getaffinity(0, sizeof(cpus), &cpus) < 0 ? 1 : MAX(CPU_COUNT(&cpus), 1);
}

/* best effort: a benchmark on other CPUs is still one */
static void pin(u32 nr)
{
	cpu_set_t cpus, one;
	u32 at = 0;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) < 0 || !CPU_COUNT(&cpus))
		return;
	nr %= CPU_COUNT(&cpus);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &cpus) || at++ != nr)
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
		return;
	}
}

static ssize_t retry_read(int fd, void *p, size_t len)
{
	ssize_t n;

	do
		n = read(fd, p, len);
	while (n < 0 && errno == EINTR);
	return n;
}

/* false: the others did not start */
static bool pass_gate(struct bench_member *m)
{
	struct bench_team *t = m->team;
	char c = 0;

	if (t->processes)
		close(t->go[1]);
	return write(t->ready[1], &c, 1) == 1 && retry_read(t->go[0], &c, 1) == 1;
}

static int run_member(void *arg)
{
	struct bench_member *m = arg;

	if (m->team->pin)
		pin(m->nr);
	m->error = pass_gate(m) ? m->team->work(m) : -ECANCELED;
	return m->error;
}

static void *run_thread(void *arg)
{
	run_member(arg);
	return NULL;
}

pid_t bench_child_start(int (*work)(void *ctx), void *ctx)
{
	pid_t pid = fork();

	if (!pid)
		_exit(work(ctx) ? 1 : 0);
	return pid;
}

int bench_child(int (*work)(void *ctx), void *ctx, int *ret_status)
{
	pid_t pid = bench_child_start(work, ctx);

	if (pid < 0)
		return -errno;
	while (waitpid(pid, ret_status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

static int start_member(struct bench_team *t, struct bench_member *m)
{
	if (!t->processes)
		return -pthread_create(&m->thread, NULL, run_thread, m);
	m->pid = bench_child_start(run_member, m);
	return m->pid < 0 ? -errno : 0;
}

static int join_first(struct bench_team *t, u32 nr)
{
	int ret = 0, status;

	for (u32 i = 0; i < nr; i++) {
		struct bench_member *m = &t->member[i];

		if (!t->processes) {
			pthread_join(m->thread, NULL);
		} else {
			while (waitpid(m->pid, &status, 0) < 0 && errno == EINTR)
				;
			m->error = status ? -ECHILD : 0;
		}
		ret = ret ? ret : m->error;
	}
	return ret;
}

static void close_gate(struct bench_team *t)
{
	int *fds[] = { &t->ready[0], &t->ready[1], &t->go[0], &t->go[1] };

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}

static int open_gate(struct bench_team *t)
{
	char c = 0;

	for (u32 i = 0; i < t->size; i++)
		if (retry_read(t->ready[0], &c, 1) != 1)
			return -EPIPE;
	return 0;
}

/* those that wait at the gate see that its other end is closed */
static int give_up(struct bench_team *t, u32 started, int code, struct err *err)
{
	close(t->go[1]);
	t->go[1] = -1;
	join_first(t, started);
	close_gate(t);
	return err_sys(err, -code, "cannot start task %u of %u", started + 1, t->size);
}

int bench_team_start(struct bench_team *t, u64 *ret_ns, struct err *err)
{
	int ret = 0;
	u32 i = 0;

	t->member = xcalloc_aligned(t->size, sizeof(*t->member));
	t->done = false;
	t->ready[0] = t->ready[1] = t->go[0] = t->go[1] = -1;
	if (pipe(t->ready) < 0 || pipe(t->go) < 0) {
		ret = err_sys(err, errno, "cannot make a pipe");
		close_gate(t);
		return ret;
	}
	for (; !ret && i < t->size; i += !ret) {
		t->member[i].team = t;
		t->member[i].nr = i;
		ret = start_member(t, &t->member[i]);
	}
	if (!ret)
		ret = open_gate(t);
	if (ret)
		return give_up(t, i, ret, err);
	if (ret_ns)
		*ret_ns = clock_ns(CLOCK_MONOTONIC);
	for (u32 k = 0; k < t->size; k++)
		if (write(t->go[1], "", 1) != 1)
			return give_up(t, i, -errno, err);
	return 0;
}

int bench_team_join(struct bench_team *t)
{
	int ret = join_first(t, t->size);

	close_gate(t);
	return ret;
}

void bench_team_release(struct bench_team *t)
{
	free(t->member);
	t->member = NULL;
}

int bench_team_run(struct bench_team *t, u32 seconds, u64 *ret_ns, struct err *err)
{
	struct timespec left = { .tv_sec = seconds };
	u64 begin;
	int ret = bench_team_start(t, &begin, err);

	if (ret)
		return ret;
	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
	t->done = true;
	*ret_ns = clock_ns(CLOCK_MONOTONIC) - begin;
	ret = bench_team_join(t);
	return ret ? err_sys(err, -ret, "a thread of the benchmark failed") : 0;
}
