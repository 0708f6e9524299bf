/* syscall: how long a system call takes, with as little as possible around it. */
#include "bench.h"
#include "team.h"
#include "../base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int nothing(void *ctx UNUSED)
{
	return 0;
}

/* the standard program that does nothing; it is not found by PATH, so that nothing else runs */
static int become_true(void *ctx UNUSED)
{
	char *const argv[] = { "true", NULL }, *const envp[] = { NULL };

	execve("/bin/true", argv, envp);
	return -errno;
}

static int call_getppid(void)
{
	syscall(SYS_getppid);
	return 0;
}

static int call_getpgid(void)
{
	syscall(SYS_getpgid, 0);
	return 0;
}

static int call_fork(void)
{
	int status, ret = bench_child(nothing, NULL, &status);

	return !ret && status ? -ECHILD : ret;
}

static int call_execve(void)
{
	int status, ret = bench_child(become_true, NULL, &status);

	return !ret && status ? -ENOENT : ret;
}

static int measure(const struct bench_opts *o, const struct bench_sink *sink, const char *name, u64 loops,
		   int (*call)(void), struct err *err)
{
	u64 begin = clock_ns(CLOCK_MONOTONIC);
	int ret = 0;

	loops = o->loops ? o->loops : loops;
	for (u64 i = 0; !ret && i < loops; i++)
		ret = call();
	begin = clock_ns(CLOCK_MONOTONIC) - begin;
	if (ret)
		return err_sys(err, -ret, "%s fails", name);
	bench_say(sink, "# Executed %" PRIu64 " %s() calls", loops, name);
	bench_put_total(sink, begin);
	bench_put_rate(sink, begin, loops);
	return 0;
}

int bench_syscall_basic(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	return measure(o, sink, "getppid", 10000000, call_getppid, err);
}

int bench_syscall_getpgid(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	return measure(o, sink, "getpgid", 10000000, call_getpgid, err);
}

int bench_syscall_fork(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	return measure(o, sink, "fork", 10000, call_fork, err);
}

int bench_syscall_execve(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	return measure(o, sink, "execve", 10000, call_execve, err);
}
