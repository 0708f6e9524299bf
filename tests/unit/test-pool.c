/* Unit tests of pool: every task exactly once, on a worker in range, any number of runs. */
#include "test.h"
#include "../../util/base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct work {
	unsigned int nr_workers;
	u8 done[5000];
	u64 per_worker[64];	/* one cache line a worker would be kinder; this is a test of being private */
};

static void task(void *ctx, unsigned int worker, size_t i)
{
	struct work *w = ctx;

	if (worker >= w->nr_workers)
		abort();
	w->done[i]++;
	w->per_worker[worker]++;
}

static void run_with(unsigned int workers)
{
	struct pool *p = pool_new(workers);
	struct work w = { .nr_workers = pool_nr_workers(p) };
	u64 sum = 0;

	CHECK_INT(w.nr_workers, workers);
	for (int round = 1; round <= 20; round++) {
		size_t nr = round % 5 == 0 ? 1 : round % 3 == 0 ? 0 : sizeof(w.done);

		memset(w.done, 0, sizeof(w.done));
		memset(w.per_worker, 0, sizeof(w.per_worker));
		sum = 0;
		pool_run(p, nr, task, &w);
		for (size_t i = 0; i < sizeof(w.done); i++)
			REQUIRE(w.done[i] == (i < nr));
		for (unsigned int k = 0; k < workers; k++)
			sum += w.per_worker[k];
		CHECK_U64(sum, nr);
	}
	pool_free(p);
}

TEST(every_task_once)
{
	run_with(1);
	run_with(2);
	run_with(8);
}

static void job(void *ctx)
{
	*(unsigned int *)ctx += 1;
}

TEST(jobs_beside_run_once)
{
	for (unsigned int workers = 1; workers <= 4; workers++) {
		struct pool *p = pool_new(workers);
		struct work w = { .nr_workers = workers };
		unsigned int done[2] = { 0 };
		struct pool_job one = { .run = job, .ctx = &done[0] };
		struct pool_job other = { .run = job, .ctx = &done[1] };

		pool_wait(p, &one);
		for (unsigned int round = 1; round <= 20; round++) {
			memset(w.done, 0, sizeof(w.done));
			pool_beside(p, &one);
			pool_beside(p, &other);
			pool_run(p, sizeof(w.done), task, &w);
			for (size_t i = 0; i < sizeof(w.done); i++)
				REQUIRE(w.done[i] == 1);
			pool_wait(p, &other);
			CHECK_U64(done[1], round);
			pool_wait(p, &one);
			pool_wait(p, &one);
			CHECK_U64(done[0], round);
		}
		pool_beside(p, &one);
		pool_beside(p, &other);
		pool_free(p);
		CHECK_U64(done[0], 21);
		CHECK_U64(done[1], 21);
	}
}

TEST(a_job_without_a_pool_waits)
{
	unsigned int done = 0;
	struct pool_job one = { .run = job, .ctx = &done };

	pool_beside(NULL, &one);
	CHECK_U64(done, 0);
	pool_wait(NULL, &one);
	pool_wait(NULL, &one);
	CHECK_U64(done, 1);
}

TEST(free_without_a_run)
{
	struct pool *p = pool_new(4);

	CHECK_INT(pool_nr_workers(p), 4);
	pool_free(p);
	pool_free(NULL);
	p = pool_new(0);
	CHECK(pool_nr_workers(p) >= 1);
	pool_free(p);
}

/* without a pool the work is done all the same */
TEST(no_pool)
{
	struct work w = { .nr_workers = 1 };

	pool_run(NULL, 10, task, &w);
	CHECK_U64(w.per_worker[0], 10);
}

struct masks {
	atomic_uint nr;
	sigset_t set[2];	/* by worker */
};

/* both workers have one task each */
static void read_mask(void *ctx, unsigned int worker, size_t i)
{
	struct masks *m = ctx;

	(void)i;
	pthread_sigmask(SIG_BLOCK, NULL, &m->set[worker]);
	for (atomic_fetch_add(&m->nr, 1); atomic_load(&m->nr) < 2;)
		sched_yield();
}

/* or a tick of the progress bar could be drawn by another thread after its end */
TEST(signals_are_handled_by_the_calling_thread_alone)
{
	struct pool *p = pool_new(2);
	struct masks m = { 0 };

	pool_run(p, 2, read_mask, &m);
	CHECK(!sigismember(&m.set[0], SIGALRM));
	CHECK(!sigismember(&m.set[0], SIGINT));
	CHECK(sigismember(&m.set[1], SIGALRM));
	CHECK(sigismember(&m.set[1], SIGINT));
	CHECK(!sigismember(&m.set[1], SIGBUS));
	pool_free(p);
}
