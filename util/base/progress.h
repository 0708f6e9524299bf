/*
 * Progress: which part of a long job is being done, and how much of it is done. The code that does the work
 * says so, at the cost of one store; util/cli/progress.h shows it if stderr is a terminal. Global, as the log
 * is, so that functions need not pass it on.
 */
#ifndef PERF_BASE_PROGRESS_H
#define PERF_BASE_PROGRESS_H

#include "types.h"

struct progress {
	const char *what;	/* "counting samples"; NULL: nothing is known yet */
	u64 done, total;	/* total 0: not known */
};

/* a part of the work begins; what is a literal: one to three words for users */
void progress_at(const char *what);
/* sets how much is done. One thread at a time calls it; pool_run() does so for the part that runs in it */
void progress_count(u64 done, u64 total);
/* from any thread, also from a signal handler */
struct progress progress_now(void);

#endif
