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

/* becomes true when the time that workload_timer started is over, or on SIGINT */
extern volatile sig_atomic_t workload_done;
void workload_timer(double seconds);

#endif
