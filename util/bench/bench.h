/*
 * Benchmarks of the system: how fast it switches tasks, calls the kernel, copies memory, wakes threads. Each
 * is a row of benches.def and a function that runs it and gives what it measured, piece by piece, to a sink;
 * what is shown in which format is up to the command. Benchmarks start processes and threads of their own,
 * and none is left when they return. Owns nothing between two runs.
 */
#ifndef PERF_BENCH_BENCH_H
#define PERF_BENCH_BENCH_H

#include "../base/err.h"
#include "../kernel/target.h"

#include <sys/types.h>

/* What the options of all benchmarks choose; zero: the benchmark's own default. */
struct bench_opts {
	u64 loops, repeat;
	unsigned int groups, threads, runtime;
	bool use_threads, use_pipe, nonblocking, sync_mode;
	u64 write_size;
	const char *send_cgroup, *receive_cgroup;	/* directories of cgroup v2 relative to its root */
	u64 size, chunk, page;		/* bytes */
	const char *function;		/* of a family, or "all", "help" */
	u64 seed;
	bool random;
	unsigned int outer, inner;
	unsigned int buckets, futexes, wakes, requeue;
	bool buckets_set, lock_memory, shared, silent, broadcast, pi, multi;
	unsigned int nfds, nested;
	bool edge, oneshot, no_affinity;
	unsigned int processes, mb_global, mb_process, mb_thread, huge;
	bool huge_set, data_reads, data_writes, data_zero, data_backwards, show_details;
	const char *cpus, *nodes;	/* "0,1": of the first tasks */
	u64 iterations, multi_iterations;
	unsigned int min_threads, max_threads, nr_events;
	const char *events;
	bool single;
	struct target_opts target;	/* where events are opened */
	unsigned int sleep_us;
	bool sleep_set;
	unsigned int breakpoints, parallelism, passive, active;
};

/* A piece of the result. */
struct bench_item {
	const char *text;	/* the line that people read, without its end */
	const char *key;	/* NULL: the line has no number for programs */
	double value;
	const char *unit;
	/* decimals with which "simple" prints the value; -1: it does not print it */
	int simple;
};

struct bench_sink {
	void (*put)(void *ctx, const struct bench_item *item);
	void *ctx;
};

/* runs it; 0 or a negative errno with err filled, and then nothing that it started is left */
typedef int (*bench_fn)(const struct bench_opts *o, const struct bench_sink *sink, struct err *err);

struct bench {
	const char *collection, *name, *help;
	bench_fn run;
};

/* all rows, by collection; the last one has a NULL name */
extern const struct bench benches[];
/* the first row of a collection (name NULL), or one benchmark; NULL: there is none */
const struct bench *bench_find(const char *collection, const char *name);
/* what a collection is about, or NULL */
const char *bench_collection_help(const char *collection);

/* a line without a number */
void bench_say(const struct bench_sink *sink, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* a line with its number */
void bench_put(const struct bench_sink *sink, const char *key, double value, const char *unit, int simple,
	       const char *fmt, ...) PRINTF_LIKE(6, 7);
/* the lines "Total time", "usecs/op" and "ops/sec" */
void bench_put_total(const struct bench_sink *sink, u64 ns);
void bench_put_rate(const struct bench_sink *sink, u64 ns, u64 ops);

/* mean and standard error of the mean of what was added */
struct bench_mean {
	u64 nr;
	double sum, sum_squares;
};
void bench_mean_add(struct bench_mean *m, double value);
double bench_mean(const struct bench_mean *m);
double bench_mean_error(const struct bench_mean *m);
double bench_mean_percent(const struct bench_mean *m);	/* the error as a share of the mean */

#define BENCH(collection, name, function, help) bench_fn_proto(function)
#define bench_fn_proto(f) int f(const struct bench_opts *o, const struct bench_sink *sink, struct err *err);
#define COLLECTION(name, help)
#include "benches.def"
#undef BENCH
#undef COLLECTION

#endif
