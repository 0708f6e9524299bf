/* Pool: fork-join over a fixed set of threads. The calling thread is worker 0. */
#include "pool.h"
#include "alloc.h"
#include "progress.h"
#include "stack.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct pool_thread {
	struct pool *pool;
	pthread_t thread;
	unsigned int worker;
};

struct pool {
	unsigned int nr_workers, nr_started;
	struct pool_thread *threads;
	pthread_mutex_t lock;
	pthread_cond_t start, done;
	/* the current run, written under lock */
	u64 generation;
	unsigned int nr_busy;
	bool quit;
	struct pool_job *jobs;		/* that no worker has taken, the oldest first */
	size_t nr;
	bool shown;		/* the calling thread reports the progress */
	pool_task task;
	void *ctx;
	atomic_size_t next;
};

static unsigned int nr_cpus_allowed(void)
{
	cpu_set_t set;

	if (!sched_getaffinity(0, sizeof(set), &set))
		return CPU_COUNT(&set);
	return MAX(sysconf(_SC_NPROCESSORS_ONLN), 1);
}

struct pool *pool_new(unsigned int nr_workers)
{
	struct pool *p = xcalloc(1, sizeof(*p));

	p->nr_workers = nr_workers ? nr_workers : nr_cpus_allowed();
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->start, NULL);
	pthread_cond_init(&p->done, NULL);
	return p;
}

unsigned int pool_nr_workers(const struct pool *p)
{
	return p->nr_workers;
}

static void pool_work(struct pool *p, unsigned int worker)
{
	size_t i;

	while ((i = atomic_fetch_add(&p->next, 1)) < p->nr) {
		if (p->shown && !worker)
			progress_count(i, p->nr);
		p->task(p->ctx, worker, i);
	}
}

static struct pool_job **job_place(struct pool *p, const struct pool_job *job)
{
	struct pool_job **place = &p->jobs;

	while (*place && *place != job)
		place = &(*place)->next;
	return place;
}

/* called under the lock, which is released while the first job of a list runs */
static void run_job(struct pool *p, struct pool_job **place)
{
	struct pool_job *job = *place;

	*place = job->next;
	job->state = POOL_JOB_RUNNING;
	pthread_mutex_unlock(&p->lock);
	job->run(job->ctx);
	pthread_mutex_lock(&p->lock);
	job->state = POOL_JOB_IDLE;
	pthread_cond_broadcast(&p->done);
}

static void *pool_thread_main(void *arg)
{
	struct pool_thread *t = arg;
	struct pool *p = t->pool;
	u64 seen = 0;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (p->jobs)
			run_job(p, &p->jobs);
		if (p->quit)
			break;
		if (p->generation == seen) {
			pthread_cond_wait(&p->start, &p->lock);
			continue;
		}
		seen = p->generation;
		pthread_mutex_unlock(&p->lock);
		pool_work(p, t->worker);
		pthread_mutex_lock(&p->lock);
		if (!--p->nr_busy)
			pthread_cond_broadcast(&p->done);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* signals that others send, and signals of timers */
static void fill_sent_signals(sigset_t *set)
{
	static const int own[] = { SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS };

	sigfillset(set);
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		sigdelset(set, own[i]);
}

/* handlers run in the calling thread alone, so data that it shares with them needs no locks */
static void pool_start_threads(struct pool *p)
{
	sigset_t blocked, before;
	pthread_attr_t attr;

	fill_sent_signals(&blocked);
	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	stack_thread_attr(&attr);
	p->threads = xcalloc(p->nr_workers, sizeof(*p->threads));
	for (unsigned int w = 1; w < p->nr_workers; w++) {
		struct pool_thread *t = &p->threads[w];

		*t = (struct pool_thread){ .pool = p, .worker = w };
		if (pthread_create(&t->thread, &attr, pool_thread_main, t))
			break;		/* fewer threads: slower, but the same result */
		p->nr_started++;
	}
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void run(struct pool *p, bool shown, size_t nr, pool_task task, void *ctx)
{
	if (!p || p->nr_workers == 1 || nr <= 1) {
		for (size_t i = 0; i < nr; i++) {
			if (shown)
				progress_count(i, nr);
			task(ctx, 0, i);
		}
		return;
	}
	if (!p->threads)
		pool_start_threads(p);
	pthread_mutex_lock(&p->lock);
	p->nr = nr;
	p->task = task;
	p->ctx = ctx;
	p->shown = shown;
	atomic_store(&p->next, 0);
	p->nr_busy = p->nr_started;
	p->generation++;
	pthread_cond_broadcast(&p->start);
	pthread_mutex_unlock(&p->lock);
	pool_work(p, 0);
	pthread_mutex_lock(&p->lock);
	while (p->nr_busy)
		pthread_cond_wait(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

void pool_run(struct pool *p, size_t nr, pool_task task, void *ctx)
{
	run(p, false, nr, task, ctx);
}

void pool_run_shown(struct pool *p, const char *what, size_t nr, pool_task task, void *ctx)
{
	progress_at(what);
	run(p, true, nr, task, ctx);
}

void pool_beside(struct pool *p, struct pool_job *job)
{
	job->next = NULL;
	if (!p) {
		job->state = POOL_JOB_WAITING;
		return;
	}
	if (!p->threads && p->nr_workers > 1)
		pool_start_threads(p);
	pthread_mutex_lock(&p->lock);
	job->state = POOL_JOB_WAITING;
	*job_place(p, NULL) = job;
	pthread_cond_signal(&p->start);
	pthread_mutex_unlock(&p->lock);
}

void pool_wait(struct pool *p, struct pool_job *job)
{
	if (!p && job->state == POOL_JOB_WAITING) {
		job->run(job->ctx);
		job->state = POOL_JOB_IDLE;
	}
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	if (job->state == POOL_JOB_WAITING)
		run_job(p, job_place(p, job));
	while (job->state != POOL_JOB_IDLE)
		pthread_cond_wait(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

void pool_free(struct pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	while (p->jobs)
		run_job(p, &p->jobs);
	p->quit = true;
	pthread_cond_broadcast(&p->start);
	pthread_mutex_unlock(&p->lock);
	for (unsigned int w = 1; w <= p->nr_started; w++)
		pthread_join(p->threads[w].thread, NULL);
	free(p->threads);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->start);
	pthread_cond_destroy(&p->done);
	free(p);
}
