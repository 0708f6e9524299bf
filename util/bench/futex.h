/* Futex: the system call, and what its benchmarks have in common. */
#ifndef PERF_BENCH_FUTEX_H
#define PERF_BENCH_FUTEX_H

#include "bench.h"
#include "team.h"

/* the operation on a private futex, or a shared one; what futex(2) returns, or a negative errno */
long bench_futex(const struct bench_opts *o, u32 *futex, int op, u32 value, u64 value2, u32 *futex2,
		 u32 value3);
/* waits until it is woken, or moved and woken; 0 or a negative errno */
int bench_futex_sleep(const struct bench_opts *o, u32 *futex);
/* the options that all of them have, applied to this process: memory, the kernel's hash table */
int bench_futex_prepare(const struct bench_opts *o, struct err *err);
/* the size of the hash table of this process, where the kernel tells it */
void bench_futex_finish(const struct bench_sink *sink);
const char *bench_futex_kind(const struct bench_opts *o);	/* "private", "shared" */
u64 bench_futex_repeat(const struct bench_opts *o);

/* threads that sleep at a futex */
struct bench_sleepers {
	const struct bench_opts *o;
	struct bench_team team;		/* its ctx is this struct */
	u32 futex, other;
	u32 asleep;			/* about to sleep */
	bool pi;			/* wait to be moved to a lock with priority inheritance */
};
/* starts nr threads, and waits until they sleep */
int bench_sleepers_start(struct bench_sleepers *s, const struct bench_opts *o, u32 nr, struct err *err);
int bench_sleepers_join(struct bench_sleepers *s, struct err *err);

#endif
