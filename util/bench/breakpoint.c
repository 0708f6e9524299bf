/*
 * breakpoint: what breakpoints of a process cost when threads start and end, and how long it takes to enable
 * and disable one that threads have inherited. They watch a variable that nothing writes.
 */
#include "bench.h"
#include "team.h"
#include "../base/alloc.h"
#include "../base/units.h"
#include "../kernel/open.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define ENABLE_TIMES 10u

static u64 watched[64];		/* one for each breakpoint */

static int open_one(u32 nr)
{
	struct pe_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.flags = ATTR_INHERIT | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV,
		.bp_type = HW_BREAKPOINT_RW,
		.config1 = (u64)(uintptr_t)&watched[nr],
		.config2 = HW_BREAKPOINT_LEN_1,
	};

	attr.size = attr_size_needed(&attr);
	return open_raw(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int open_all(int *fd, u32 nr, struct err *err)
{
	if (nr > ARRAY_SIZE(watched))
		return err_set(err, -EINVAL, "%u breakpoints are too many: no processor has them", nr);
	for (u32 i = 0; i < nr; i++) {
		fd[i] = open_one(i);
		if (fd[i] < 0)
			return err_sys(err, -fd[i], "cannot set breakpoint %u of %u%s", i + 1, nr,
				       fd[i] == -ENOSPC ? ": the processor has no more" : "");
	}
	return 0;
}

static void close_all(int *fd, u32 nr)
{
	for (u32 i = 0; i < nr && i < ARRAY_SIZE(watched) && fd[i] >= 0; i++)
		close_raw(fd[i]);
}

/* ---- thread ---- */

static void *end_at_once(void *arg)
{
	return arg;
}

static int start_threads(struct bench_member *m)
{
	u32 nr = *(const u32 *)m->team->ctx;
	pthread_t thread;

	for (u32 i = 0; i < nr; i++) {
		int ret = pthread_create(&thread, NULL, end_at_once, NULL);

		if (ret)
			return -ret;
		pthread_join(thread, NULL);
	}
	return 0;
}

int bench_breakpoint_thread(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	u32 nr = o->breakpoints ? o->breakpoints : 1, parallel = o->parallelism ? o->parallelism : 1;
	u32 threads = o->threads ? o->threads : 10;
	struct bench_team team = { .size = parallel, .work = start_threads, .ctx = &threads };
	int fd[ARRAY_SIZE(watched)], ret;
	double usecs;
	u64 ns = 0;

	memset(fd, 0xff, sizeof(fd));
	ret = open_all(fd, nr, err);
	if (!ret)
		ret = bench_team_start(&team, &ns, err);
	if (!ret) {
		ret = bench_team_join(&team);
		if (ret)
			err_sys(err, -ret, "cannot start a thread");
	}
	ns = clock_ns(CLOCK_MONOTONIC) - ns;
	bench_team_release(&team);
	close_all(fd, nr);
	if (ret)
		return ret;
	usecs = ns / 1e3 / threads / parallel;
	bench_say(sink, "# Created/joined %u threads with %u breakpoints and %u parallelism", threads, nr,
		  parallel);
	bench_put_total(sink, ns);
	bench_say(sink, "%s", "");
	bench_put(sink, "usecs_per_op", usecs, "us", -1, " %14f usecs/op", usecs);
	bench_put(sink, "usecs_per_op_cpu", usecs * parallel, "us", -1, " %14f usecs/op/cpu",
		  usecs * parallel);
	return 0;
}

/* ---- enable ---- */

struct idlers {
	u32 nr_passive;		/* the first ones; the others keep CPUs busy */
};

static int idle(struct bench_member *m)
{
	const struct idlers *i = m->team->ctx;

	while (!m->team->done)
		if (m->nr < i->nr_passive)
			usleep(1000);
	return 0;
}

static int toggle(int fd, u64 *ret_ns)
{
	u64 begin = clock_ns(CLOCK_MONOTONIC);

	for (u32 i = 0; i < ENABLE_TIMES; i++)
		if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0) < 0 || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) < 0)
			return -errno;
	*ret_ns = clock_ns(CLOCK_MONOTONIC) - begin;
	return 0;
}

int bench_breakpoint_enable(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	struct idlers idlers = { o->passive };
	struct bench_team team = { .size = o->passive + o->active, .work = idle, .ctx = &idlers };
	int fd = -1, ret = open_all(&fd, 1, err);
	double usecs;
	u64 ns = 0;

	if (!ret)
		ret = bench_team_start(&team, NULL, err);
	if (!ret) {
		ret = toggle(fd, &ns);
		if (ret)
			err_sys(err, -ret, "cannot enable a breakpoint");
		team.done = true;
		bench_team_join(&team);
	}
	bench_team_release(&team);
	close_all(&fd, 1);
	if (ret)
		return ret;
	usecs = ns / 1e3 / ENABLE_TIMES;
	bench_say(sink, "# Enabled/disabled breakpoint %u time with %u passive and %u active threads",
		  ENABLE_TIMES, o->passive, o->active);
	bench_put_total(sink, ns);
	bench_say(sink, "%s", "");
	bench_put(sink, "usecs_per_op", usecs, "us", -1, " %14f usecs/op", usecs);
	return 0;
}
