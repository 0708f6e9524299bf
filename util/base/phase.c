/* Phase: see phase.h. */
#include "phase.h"

#include <time.h>
#include "log.h"
#include "units.h"

bool phase_shown;

struct phase_clock phase_start(void)
{
	return (struct phase_clock){ clock_ns(CLOCK_MONOTONIC), clock_ns(CLOCK_PROCESS_CPUTIME_ID) };
}

void phase_end(const char *phase, struct phase_clock *since)
{
	struct phase_clock now = phase_start();

	if (phase_shown || log_level >= 2)
		log_debug_at(MIN(log_level, 2), "%-8s %6lu us, %6lu us of CPU time", phase,
			     (now.wall - since->wall) / 1000, (now.cpu - since->cpu) / 1000);
	*since = now;
}
