/*
 * Phase: how long the parts of a long job take, as lines on stderr with -vv or "perf --debug phases". For those who make perf
 * faster: user and system time of all threads stand beside the wall clock, so that their quotient is the number of busy CPUs.
 */
#ifndef PERF_BASE_PHASE_H
#define PERF_BASE_PHASE_H

#include "types.h"

extern bool phase_shown;	/* whatever log_level is */

struct phase_clock {
	u64 wall, cpu;		/* ns */
};

struct phase_clock phase_start(void);
/* says what was used since *since, which becomes now */
void phase_end(const char *phase, struct phase_clock *since);

#endif
