/*
 * sched seccomp-notify: a thread calls getppid(2), which its seccomp filter hands to another thread, which
 * answers. Formats of <linux/seccomp.h>.
 */
#include "bench.h"
#include "team.h"
#include "../base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <semaphore.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS	/* Linux 6.6 */
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

enum { ANSWERS, CALLS };	/* the members */

struct seccomp_bench {
	u64 loops;
	bool sync;
	int listener;		/* or a negative errno */
	sem_t has_listener;
};

static int install_filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { ARRAY_SIZE(code), code };
	long fd;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog);
	return fd < 0 ? -errno : (int)fd;
}

static int call(struct seccomp_bench *b)
{
	b->listener = install_filter();
	sem_post(&b->has_listener);
	if (b->listener < 0)
		return b->listener;
	for (u64 i = 0; i < b->loops; i++)
		if (syscall(SYS_getppid) != 1)
			return -EIO;
	return 0;
}

static int answer_all(const struct seccomp_bench *b)
{
	for (u64 i = 0; i < b->loops; i++) {
		struct seccomp_notif req = { 0 };
		struct seccomp_notif_resp resp = { .val = 1 };

		if (ioctl(b->listener, SECCOMP_IOCTL_NOTIF_RECV, &req) < 0)
			return -errno;
		resp.id = req.id;
		if (ioctl(b->listener, SECCOMP_IOCTL_NOTIF_SEND, &resp) < 0)
			return -errno;
	}
	return 0;
}

static int answer(struct seccomp_bench *b)
{
	int ret = 0;

	while (sem_wait(&b->has_listener) < 0)
		;
	if (b->listener < 0)
		return 0;	/* the other one says why */
	if (b->sync &&
	    ioctl(b->listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP) < 0)
		ret = -ENOTSUP;
	if (!ret)
		ret = answer_all(b);
	close(b->listener);	/* calls that wait for an answer fail */
	return ret;
}

static int work(struct bench_member *m)
{
	return m->nr == ANSWERS ? answer(m->team->ctx) : call(m->team->ctx);
}

int bench_sched_seccomp(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	struct seccomp_bench b = { .loops = o->loops ? o->loops : 1000000, .sync = o->sync_mode };
	struct bench_team team = { .size = 2, .work = work, .ctx = &b };
	u64 begin;
	int ret;

	sem_init(&b.has_listener, 0, 0);
	ret = bench_team_start(&team, &begin, err);
	if (!ret) {
		ret = bench_team_join(&team);
		if (ret == -ENOTSUP)
			err_set(err, ret,
				"this kernel cannot wake the caller at once (--sync-mode needs Linux 6.6)");
		else if (ret)
			err_sys(err, -ret, "system calls cannot be answered by seccomp");
	}
	begin = clock_ns(CLOCK_MONOTONIC) - begin;
	bench_team_release(&team);
	sem_destroy(&b.has_listener);
	if (ret)
		return ret;
	bench_say(sink, "# Executed %" PRIu64 " system calls", b.loops);
	bench_say(sink, "%s", "");
	bench_put_total(sink, begin);
	bench_put_rate(sink, begin, b.loops);
	return 0;
}
