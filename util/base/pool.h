/*
 * Pool: the one way to use threads. pool_run() is fork-join: task(ctx, worker, i) for every i in [0, nr),
 * each on one of the pool's workers; it returns when all are done. Tasks write only to what belongs to their
 * index or their worker; results are combined in index order afterwards, so they do not depend on the number
 * of threads. Signals are handled by the calling thread.
 */
#ifndef PERF_BASE_POOL_H
#define PERF_BASE_POOL_H

#include "types.h"

struct pool;
typedef void (*pool_task)(void *ctx, unsigned int worker, size_t i);

/*
 * nr_workers 0: one per online CPU. With 1 everything runs in the calling thread. Threads start at
 * the first pool_run.
 */
struct pool *pool_new(unsigned int nr_workers);
unsigned int pool_nr_workers(const struct pool *p);
void pool_run(struct pool *p, size_t nr, pool_task task, void *ctx);
/* the same for a part of long work whose progress is shown to users (base/progress.h) */
void pool_run_shown(struct pool *p, const char *what, size_t nr, pool_task task, void *ctx);
/*
 * A job in the background, while the calling thread goes on and may call pool_run(). It belongs to the
 * caller, who sets run and ctx, and must be there until pool_wait() or pool_free().
 */
struct pool_job {
	void (*run)(void *ctx);
	void *ctx;
	/* of the pool */
	enum { POOL_JOB_IDLE, POOL_JOB_WAITING, POOL_JOB_RUNNING } state;
	struct pool_job *next;
};

/* a worker runs the idle job when it has nothing else to do; jobs begin in the order of the calls */
void pool_beside(struct pool *p, struct pool_job *job);
/*
 * Waits for its end; if no worker has taken it, it runs in the calling thread. Nothing happens if it is idle.
 * Any thread may call this. Without a pool (NULL), a job waits for this call
 */
void pool_wait(struct pool *p, struct pool_job *job);
/* ends the jobs that wait */
void pool_free(struct pool *p);

#endif
