/*
 * Cost: the time that probes add to a call of a function. It is measured, because it depends on the
 * processor, the kernel and the hypervisor. Probes of programs are tried at an empty function of perf itself,
 * probes of the kernel at the system call getppid.
 */
#ifndef PERF_PROBE_COST_H
#define PERF_PROBE_COST_H

#include "../base/err.h"

#define PROBE_COST_ENTRY 1u
#define PROBE_COST_RETURN 2u
/* groups of the events that are made meanwhile: this and the pid */
#define PROBE_COST_GROUP "perf_cost_"

/*
 * Nanoseconds of CPU time that probes of these kinds (PROBE_COST_*) add to a call; 0: it cannot be measured.
 * Takes some milliseconds. Removes its probes
 */
u64 probe_cost_measure(u32 kinds, bool is_kernel);

#endif
