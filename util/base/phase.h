/*
 * Phase: how long the parts of a long job take, as lines on stderr with -vv or "perf --debug phases". For
 * developers: user and system time of all threads is shown beside the elapsed time, so their quotient is the
 * number of busy CPUs.
 */
#ifndef PERF_BASE_PHASE_H
#define PERF_BASE_PHASE_H

#include "types.h"

extern bool phase_shown;	/* shown at any log_level */

struct phase_clock {
	u64 wall, cpu;		/* ns */
};

struct phase_clock phase_start(void);
/* prints what was used since *since, and sets *since to now */
void phase_end(const char *phase, struct phase_clock *since);

#endif
