/*
 * PMU state: what this machine's CPUs can count at all, found by trying: virtual machines have no counters, or counters that stand
 * still.
 */
#ifndef PERF_COUNT_PMU_STATE_H
#define PERF_COUNT_PMU_STATE_H

#include "../kernel/open.h"

enum pmu_state {
	PMU_STATE_UNKNOWN,	/* may not be tried (permissions), or all counters are taken */
	PMU_STATE_NONE,		/* no cycles */
	PMU_STATE_STANDS,	/* opens, runs, and counts nothing */
	PMU_STATE_COUNTS,	/* cycles at least; which other events there are is seen when they are opened */
};

/* a handful of system calls on this task; ask once, and only where the answer is needed */
enum pmu_state pmu_state_find(void);

/* an event of the CPU's own counters: generic, cache, raw, or of a core PMU */
bool event_is_core(const struct event *ev);

/* counters of one core that programs may choose events for; 0: the machine does not tell */
u32 pmu_nr_counters(void);
/* true where the NMI watchdog holds one of them */
bool pmu_watchdog_on(void);

#endif
