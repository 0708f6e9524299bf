/* futex hash, lock-pi: how many operations threads do per second. */
#include "futex.h"
#include "../base/alloc.h"
#include "../base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct rate_bench {
	const struct bench_opts *o;
	u32 nr_futexes;		/* of each thread */
	u32 *futex;		/* of all threads */
};

/* the value is another one, so the kernel finds the futex in its table and returns */
static int hash(struct bench_member *m)
{
	const struct rate_bench *b = m->team->ctx;
	u32 *futex = b->futex + (size_t)m->nr * b->nr_futexes;
	u64 ops = 0;

	while (!m->team->done)
		for (u32 i = 0; i < b->nr_futexes; i++, ops++) {
			long ret = bench_futex(b->o, &futex[i], FUTEX_WAIT, 1234, 0, NULL, 0);

			if (ret != -EAGAIN)
				return ret < 0 ? ret : -EIO;
		}
	m->ops = ops;
	return 0;
}

/*
 * The kernel is asked for each lock and unlock, as if the lock was never free; a microsecond of sleep with
 * the lock lets the others queue up
 */
static int lock(struct bench_member *m)
{
	const struct rate_bench *b = m->team->ctx;
	u32 *futex = b->futex + (b->o->multi ? m->nr : 0);
	u64 ops = 0;

	while (!m->team->done) {
		long ret = bench_futex(b->o, futex, FUTEX_LOCK_PI, 0, 0, NULL, 0);

		if (ret == -EINTR)
			continue;
		if (ret < 0)
			return ret;
		usleep(1);
		ret = bench_futex(b->o, futex, FUTEX_UNLOCK_PI, 0, 0, NULL, 0);
		if (ret < 0)
			return ret;
		ops++;
	}
	m->ops = ops;
	return 0;
}

static void put_average(const struct bench_sink *sink, const struct bench_mean *mean, u32 seconds)
{
	bench_put(sink, "operations", bench_mean(mean), "1/s", 0,
		  "Averaged %.0f operations/sec (+- %.2f%%), total secs = %u",
		  bench_mean(mean), bench_mean_percent(mean), seconds);
}

static int run(struct rate_bench *b, int (*work)(struct bench_member *m), const struct bench_sink *sink,
	       struct err *err)
{
	u32 seconds = b->o->runtime ? b->o->runtime : 10, nr = bench_team_size(b->o->threads);
	struct bench_team team = { .size = nr, .pin = true, .work = work, .ctx = b };
	struct bench_mean mean = { 0 };
	u64 ns = 0;
	int ret;

	b->futex = xcalloc((size_t)nr * b->nr_futexes, sizeof(*b->futex));
	ret = bench_team_run(&team, seconds, &ns, err);
	for (u32 i = 0; !ret && i < nr; i++) {
		u64 rate = team.member[i].ops * 1e9 / ns;

		bench_mean_add(&mean, rate);
		if (!b->o->silent)
			bench_say(sink, "[thread %2u] futexes: %u [ %" PRIu64 " ops/sec ]", i, b->nr_futexes,
				  rate);
	}
	if (!ret) {
		bench_say(sink, "%s", "");
		put_average(sink, &mean, seconds);
		bench_futex_finish(sink);
	}
	bench_team_release(&team);
	free(b->futex);
	return ret;
}

int bench_futex_hash(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	struct rate_bench b = { .o = o, .nr_futexes = o->futexes ? o->futexes : 1024 };
	int ret = bench_futex_prepare(o, err);

	if (ret)
		return ret;
	if (b.nr_futexes > 1 << 20)
		return err_set(err, -EINVAL, "%u futexes are too many: %u is the limit", b.nr_futexes,
			       1 << 20);
	bench_say(sink, "Run summary [PID %d]: %u threads, each operating on %u [%s] futexes for %u secs.",
		  getpid(), bench_team_size(o->threads), b.nr_futexes, bench_futex_kind(o),
		  o->runtime ? o->runtime : 10);
	bench_say(sink, "%s", "");
	return run(&b, hash, sink, err);
}

int bench_futex_lock_pi(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	struct rate_bench b = { .o = o, .nr_futexes = 1 };
	int ret = bench_futex_prepare(o, err);

	if (ret)
		return ret;
	bench_say(sink, "Run summary [PID %d]: %u threads doing pi lock/unlock pairing for %u secs.",
		  getpid(), bench_team_size(o->threads), o->runtime ? o->runtime : 10);
	bench_say(sink, "%s", "");
	return run(&b, lock, sink, err);
}
