/*
 * PMU state: what this machine's CPUs can count at all, found by trying: virtual machines may have no
 * counters, or counters that do not count.
 */
#ifndef PERF_COUNT_PMU_STATE_H
#define PERF_COUNT_PMU_STATE_H

#include "../kernel/open.h"

enum pmu_state {
	PMU_STATE_UNKNOWN,	/* trying is not allowed (permissions), or all counters are in use */
	PMU_STATE_NONE,		/* there is no cycles event */
	PMU_STATE_STANDS,	/* it opens and runs, but counts nothing */
	/* at least cycles counts; which other events exist is known when they are opened */
	PMU_STATE_COUNTS,
};

/* makes a few system calls for this task; call it once, and only if the answer is needed */
enum pmu_state pmu_state_find(void);

/* true for an event of the CPU's own counters: generic, cache, raw, or of a core PMU */
bool event_is_core(const struct event *ev);

/* number of counters of one core for which programs may choose events; 0: the machine does not tell */
u32 pmu_nr_counters(void);
/* true if the NMI watchdog uses one of them */
bool pmu_watchdog_on(void);

#endif
