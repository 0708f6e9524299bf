/* Places: where the CPUs of this machine sit, from /sys through the fs root; names of threads. */
#ifndef PERF_STAT_PLACES_H
#define PERF_STAT_PLACES_H

#include "../base/arena.h"
#include "aggr.h"

/*
 * places of nr CPUs, in the arena. cache_level: of the caches to tell apart (--per-cache); 0: the last level
 * that each CPU has
 */
struct cpu_location *places_of_cpus(struct arena *a, const int *cpu, u32 nr, u32 cache_level);
/* comm of each thread ("" where it is gone), in the arena */
const char **comms_of_threads(struct arena *a, const s32 *tid, u32 nr);

#endif
