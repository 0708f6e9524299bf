/* Futex: what its benchmarks have in common. Operations and prctl of <linux/futex.h>, <linux/prctl.h>. */
#include "futex.h"
#include "../base/units.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef PR_FUTEX_HASH		/* Linux 6.16 */
#define PR_FUTEX_HASH 78
#define PR_FUTEX_HASH_SET_SLOTS 1
#define PR_FUTEX_HASH_GET_SLOTS 2
#endif

long bench_futex(const struct bench_opts *o, u32 *futex, int op, u32 value, u64 value2, u32 *futex2,
		 u32 value3)
{
	long ret = syscall(SYS_futex, futex, op | (o->shared ? 0 : FUTEX_PRIVATE_FLAG), value, value2, futex2,
			   value3);

	return ret < 0 ? -errno : ret;
}

int bench_futex_sleep(const struct bench_opts *o, u32 *futex)
{
	long ret;

	do
		ret = bench_futex(o, futex, FUTEX_WAIT, 0, 0, NULL, 0);
	while (ret == -EINTR);
	return ret;
}

int bench_futex_prepare(const struct bench_opts *o, struct err *err)
{
	if (o->lock_memory && mlockall(MCL_CURRENT | MCL_FUTURE) < 0)
		return err_sys(err, errno, "cannot lock the memory of this process");
	if (o->buckets_set && prctl(PR_FUTEX_HASH, PR_FUTEX_HASH_SET_SLOTS, o->buckets, 0, 0) < 0) {
		err_sys(err, errno, "cannot set the number of hash buckets to %u", o->buckets);
		err_hint(err, "it is a power of two, or 0 for the global table, from Linux 6.16");
		return err->code;
	}
	return 0;
}

void bench_futex_finish(const struct bench_sink *sink)
{
	int slots = prctl(PR_FUTEX_HASH, PR_FUTEX_HASH_GET_SLOTS, 0, 0, 0);

	if (slots > 0)
		bench_say(sink, "Futex hashing: %d buckets of this process", slots);
	else if (!slots)
		bench_say(sink, "Futex hashing: global hash");
}

const char *bench_futex_kind(const struct bench_opts *o)
{
	return o->shared ? "shared" : "private";
}

u64 bench_futex_repeat(const struct bench_opts *o)
{
	return o->repeat ? o->repeat : 10;
}

static int sleep_once(struct bench_member *m)
{
	struct bench_sleepers *s = m->team->ctx;
	long ret;

	__atomic_fetch_add(&s->asleep, 1, __ATOMIC_SEQ_CST);
	if (!s->pi)
		return bench_futex_sleep(s->o, &s->futex);
	ret = bench_futex(s->o, &s->futex, FUTEX_WAIT_REQUEUE_PI, 0, 0, &s->other, 0);
	if (ret < 0)
		return ret;
	return bench_futex(s->o, &s->other, FUTEX_UNLOCK_PI, 0, 0, NULL, 0);
}

int bench_sleepers_start(struct bench_sleepers *s, const struct bench_opts *o, u32 nr, struct err *err)
{
	int ret;

	*s = (struct bench_sleepers){ .o = o,
				      .team = { .size = nr, .pin = true, .work = sleep_once, .ctx = s },
				      .pi = s->pi };
	ret = bench_team_start(&s->team, NULL, err);
	if (ret)
		return ret;
	while (__atomic_load_n(&s->asleep, __ATOMIC_SEQ_CST) < nr)
		usleep(1000);
	usleep(10000);	/* from there into the kernel */
	return 0;
}

int bench_sleepers_join(struct bench_sleepers *s, struct err *err)
{
	int ret = bench_team_join(&s->team);

	bench_team_release(&s->team);
	return ret ? err_sys(err, -ret, "a thread of the benchmark cannot wait") : 0;
}
