/*
 * Teams: tasks of a benchmark, threads or processes, that begin together. A member waits at the gate until
 * all have come, so that starting them is not measured. The team owns its tasks; after bench_team_join() or
 * a failed start none is left.
 */
#ifndef PERF_BENCH_TEAM_H
#define PERF_BENCH_TEAM_H

#include "../base/err.h"

#include <pthread.h>
#include <sys/types.h>

struct bench_team;

struct bench_member {
	struct bench_team *team;
	u32 nr;			/* its number, from 0 */
	int error;		/* what the work returned: 0 or a negative errno; of threads only */
	u64 ops;		/* for the work's own count */
	pthread_t thread;
	pid_t pid;
} CACHE_ALIGNED;

struct bench_team {
	u32 size;
	bool processes;		/* instead of threads */
	bool pin;		/* member n runs on the n-th permitted CPU only, modulo their number */
	int (*work)(struct bench_member *m);
	void *ctx;
	volatile bool done;	/* for work that runs until it is told; threads only */
	/* the team's own */
	struct bench_member *member;
	int ready[2], go[2];
};

/* threads as many as permitted CPUs if nr is 0 */
u32 bench_team_size(u32 nr);
/* starts all members and opens the gate; *ret_ns (or NULL): when */
int bench_team_start(struct bench_team *t, u64 *ret_ns, struct err *err);
/* waits until all have ended; 0, or what the first one that failed returned (-ECHILD: a process) */
int bench_team_join(struct bench_team *t);
/* releases the members; after their numbers were read */
void bench_team_release(struct bench_team *t);
/* starts, runs for some seconds with done false, joins; *ret_ns: how long it was */
int bench_team_run(struct bench_team *t, u32 seconds, u64 *ret_ns, struct err *err);

/*
 * runs work in a child and waits for it: 0, or a negative errno where there is no child. *ret_status: as of
 * waitpid(2)
 */
int bench_child(int (*work)(void *ctx), void *ctx, int *ret_status);
/* starts it; the caller waits for it */
pid_t bench_child_start(int (*work)(void *ctx), void *ctx);

#endif
