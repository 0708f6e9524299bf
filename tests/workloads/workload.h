/*
 * Workloads: small programs inside perf whose profiles are known, for tests and demonstrations: perf test -w
 * NAME [ARGS]. One file and one row of workloads.def each. They are compiled without optimisation and with
 * frame pointers, so that their call chains are what the source says. A workload's function has its name, and
 * inner ones have the names by which scripts written for upstream look for them: test_loop and thfunc, leaf
 * and parent.
 */
#ifndef PERF_TESTS_WORKLOADS_WORKLOAD_H
#define PERF_TESTS_WORKLOADS_WORKLOAD_H

#include <signal.h>
#include "../../util/base/types.h"

struct test_workload {
	const char *name;
	int (*run)(int argc, const char **argv);	/* argv[0] is the first argument; exit status */
	const char *args, *help;
};

/* ended by a NULL name */
extern const struct test_workload workloads[];
const struct test_workload *workload_find(const char *name);

#define WORKLOAD(name, function, args, help) int function(int argc, const char **argv);
#include "workloads.def"
#undef WORKLOAD

/* argument i as seconds or as a number; says what is wrong and returns false */
bool workload_seconds(int argc, const char **argv, int i, double *seconds);
bool workload_number(int argc, const char **argv, int i, u64 *number);

/*
 * Where the time of the calling thread went between two moments, by its own clocks and the scheduler's: "NAME
 * ELAPSED ON RUN" in ns on standard output; RUN, waiting for a CPU, is -1 where the kernel does not count it
 */
struct workload_times {
	u64 elapsed, on;
	s64 run;
};
void workload_times_begin(struct workload_times *t);
void workload_times_print(const struct workload_times *begin, const char *name);
u64 workload_now(void);	/* ns */
/*
 * a file of that size in the current folder that is gone when it is closed, whose data are on the disk and
 * not in memory; -1, which was said, if there is none
 */
int workload_cold_file(u64 bytes, int flags);

/* becomes true when the time that workload_timer started is over, or on SIGINT */
extern volatile sig_atomic_t workload_done;
void workload_timer(double seconds);

#endif
