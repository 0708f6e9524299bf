/*
 * Progress: which part of a long work is being done, and how much of it. Said by whoever does the work, at the price of a store;
 * shown, where somebody looks on, by util/cli/progress.h. Global, as the log is, so that no function has to hand it on.
 */
#ifndef PERF_BASE_PROGRESS_H
#define PERF_BASE_PROGRESS_H

#include "types.h"

struct progress {
	const char *what;	/* "counting samples"; NULL: nothing was said yet */
	u64 done, total;	/* total 0: not known how much there is */
};

/* a part of the work begins; what: a literal, a word or three for users */
void progress_at(const char *what);
/* so much of it is done. By one thread at a time; pool_run() does it for the part that runs in it */
void progress_count(u64 done, u64 total);
/* from any thread, also from a signal handler */
struct progress progress_now(void);

#endif
