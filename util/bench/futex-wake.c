/* futex wake, wake-parallel, requeue: threads that sleep at a futex are woken, or moved to another one. */
#include "futex.h"
#include "../base/alloc.h"
#include "../base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- wake ---- */

/* wakes all, some at a time; *ret_ns: how long it took */
static int wake_all(const struct bench_opts *o, u32 *futex, u32 nr, u32 at_once, u64 *ret_ns)
{
	u64 begin = clock_ns(CLOCK_MONOTONIC);

	for (u32 woken = 0; woken < nr;) {
		long n = bench_futex(o, futex, FUTEX_WAKE, at_once, 0, NULL, 0);

		if (n < 0)
			return n;
		woken += n;
	}
	*ret_ns = clock_ns(CLOCK_MONOTONIC) - begin;
	return 0;
}

static int wake_run(const struct bench_opts *o, u32 nr, u32 at_once, u64 *ret_ns, struct err *err)
{
	struct bench_sleepers s = { 0 };
	int ret = bench_sleepers_start(&s, o, nr, err);

	if (ret)
		return ret;
	ret = wake_all(o, &s.futex, nr, at_once, ret_ns);
	if (ret)
		return err_sys(err, -ret, "cannot wake threads");
	return bench_sleepers_join(&s, err);
}

int bench_futex_wake(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	u32 nr = bench_team_size(o->threads), at_once = o->wakes ? o->wakes : 1;
	struct bench_mean mean = { 0 };
	int ret = bench_futex_prepare(o, err);
	u64 ns = 0;

	if (ret)
		return ret;
	bench_say(sink,
		  "Run summary [PID %d]: blocking on %u threads (at [%s] futex), waking up %u at a time.",
		  getpid(), nr, bench_futex_kind(o), at_once);
	bench_say(sink, "%s", "");
	for (u64 i = 0; !ret && i < bench_futex_repeat(o); i++) {
		ret = wake_run(o, nr, at_once, &ns, err);
		if (ret)
			break;
		bench_mean_add(&mean, ns / 1e6);
		if (!o->silent)
			bench_say(sink, "[Run %" PRIu64 "]: Wokeup %u of %u threads in %.4f ms", i + 1, nr,
				  nr, ns / 1e6);
	}
	if (ret)
		return ret;
	bench_put(sink, "wake", bench_mean(&mean), "ms", 4, "Wokeup %u of %u threads in %.4f ms (+-%.2f%%)",
		  nr, nr, bench_mean(&mean), bench_mean_percent(&mean));
	bench_futex_finish(sink);
	return 0;
}

/* ---- wake-parallel ---- */

struct wakers {
	struct bench_sleepers sleepers;
	u32 at_once;
};

static int wake_some(struct bench_member *m)
{
	struct wakers *w = m->team->ctx;

	return wake_all(w->sleepers.o, &w->sleepers.futex, w->at_once, w->at_once, &m->ops);
}

static int parallel_run(const struct bench_opts *o, u32 nr, u32 wakers, struct bench_mean *ret_ms,
			struct err *err)
{
	struct wakers w = { .at_once = nr / wakers };
	struct bench_team team = { .size = wakers, .pin = true, .work = wake_some, .ctx = &w };
	int ret = bench_sleepers_start(&w.sleepers, o, nr, err);

	if (ret)
		return ret;
	ret = bench_team_start(&team, NULL, err);
	if (ret) {
		u64 ns;

		wake_all(o, &w.sleepers.futex, nr, nr, &ns);
	} else {
		ret = bench_team_join(&team);
	}
	for (u32 i = 0; !ret && i < wakers; i++)
		bench_mean_add(ret_ms, team.member[i].ops / 1e6);
	bench_team_release(&team);
	return bench_sleepers_join(&w.sleepers, err) ? err->code : ret;
}

int bench_futex_wake_parallel(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	u32 nr = bench_team_size(o->threads), wakers = o->wakes ? o->wakes : nr;
	struct bench_mean all = { 0 };
	int ret = bench_futex_prepare(o, err);

	if (ret)
		return ret;
	if (nr % wakers)
		return err_set(err, -EINVAL,
			       "%u threads cannot be divided among %u wakers: choose a divisor with -w", nr,
			       wakers);
	bench_say(
		sink,
		"Run summary [PID %d]: blocking on %u threads (at [%s] futex), %u threads waking up %u at a "
		"time.",
		getpid(), nr, bench_futex_kind(o), wakers, nr / wakers);
	bench_say(sink, "%s", "");
	for (u64 i = 0; !ret && i < bench_futex_repeat(o); i++) {
		struct bench_mean run = { 0 };

		ret = parallel_run(o, nr, wakers, &run, err);
		if (ret)
			break;
		bench_mean_add(&all, bench_mean(&run));
		if (!o->silent)
			bench_say(sink,
				  "[Run %" PRIu64
				  "]: Avg per-thread latency (waking %u/%u threads) in %.4f ms "
				  "(+-%.2f%%)",
				  i + 1, nr / wakers, nr, bench_mean(&run), bench_mean_percent(&run));
	}
	if (ret)
		return ret;
	bench_put(sink, "wake", bench_mean(&all), "ms", 4,
		  "Avg per-thread latency (waking %u/%u threads) in %.4f ms "
		  "(+-%.2f%%)",
		  nr / wakers, nr, bench_mean(&all), bench_mean_percent(&all));
	bench_futex_finish(sink);
	return 0;
}

/* ---- requeue ---- */

/*
 * Moves all; *ret_moved: how many went to the other futex. With priority inheritance the first of each step
 * is woken with the lock instead
 */
static int requeue_all(const struct bench_opts *o, struct bench_sleepers *s, u32 nr, u32 at_once, u64 *ret_ns)
{
	u64 begin = clock_ns(CLOCK_MONOTONIC);

	for (u32 moved = 0; moved < nr;) {
		long n = bench_futex(o, &s->futex, o->pi ? FUTEX_CMP_REQUEUE_PI : FUTEX_CMP_REQUEUE, o->pi,
				     at_once, &s->other, 0);

		if (n < 0 && n != -EAGAIN)
			return n;
		moved += n > 0 ? n : 0;
	}
	*ret_ns = clock_ns(CLOCK_MONOTONIC) - begin;
	return 0;
}

static int requeue_run(const struct bench_opts *o, u32 nr, u32 at_once, u64 *ret_ns, struct err *err)
{
	struct bench_sleepers s = { .pi = o->pi };
	int ret = bench_sleepers_start(&s, o, nr, err);
	u64 ns = 0;

	if (ret)
		return ret;
	ret = requeue_all(o, &s, nr, at_once, ret_ns);
	if (ret)
		return err_sys(err, -ret, "cannot move threads to another futex");
	if (!o->pi)	/* with a lock each one lets the next one run */
		ret = wake_all(o, &s.other, nr, nr, &ns);
	return bench_sleepers_join(&s, err) ? err->code : ret;
}

int bench_futex_requeue(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	u32 nr = bench_team_size(o->threads), at_once = o->broadcast ? nr
							: o->requeue ? MIN(o->requeue, nr)
								     : 1;
	struct bench_mean mean = { 0 };
	int ret = bench_futex_prepare(o, err);
	u64 ns = 0;

	if (ret)
		return ret;
	bench_say(sink, "Run summary [PID %d]: Requeuing %u threads (from [%s] to %s), %u at a time.",
		  getpid(), nr, bench_futex_kind(o), o->pi ? "a PI futex" : "another one", at_once);
	bench_say(sink, "%s", "");
	for (u64 i = 0; !ret && i < bench_futex_repeat(o); i++) {
		ret = requeue_run(o, nr, at_once, &ns, err);
		if (ret)
			break;
		bench_mean_add(&mean, ns / 1e6);
		if (!o->silent)
			bench_say(sink, "[Run %" PRIu64 "]: Requeued %u of %u threads in %.4f ms", i + 1, nr,
				  nr, ns / 1e6);
	}
	if (ret)
		return ret;
	bench_put(sink, "requeue", bench_mean(&mean), "ms", 4,
		  "Requeued %u of %u threads in %.4f ms (+-%.2f%%)", nr, nr, bench_mean(&mean),
		  bench_mean_percent(&mean));
	bench_futex_finish(sink);
	return 0;
}
