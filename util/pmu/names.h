/*
 * Names: the kernel's generic events (event/names.def) as users type them, and near misses. Does not look at
 * the machine.
 */
#ifndef PERF_PMU_NAMES_H
#define PERF_PMU_NAMES_H

#include "../base/nearest.h"
#include "../event/names.h"

/* type and config of a hardware, software or cache name of len bytes (in any case); false if it is not one */
bool event_name_find(const char *s, size_t len, u32 *ret_type, u64 *ret_config);

/*
 * Cache events: "CACHE-OP[-RESULT]" in all spellings ("L1-dcache-load-misses", "LLC-loads",
 * "dTLB-store-refs", "branch-speculative-read"). Calls fn with the usual spelling of each combination that
 * makes sense.
 */
void cache_names_foreach(void (*fn)(void *ctx, const char *name, u64 config), void *ctx);

/* offers all names of the tables above */
void nearest_offer_names(struct nearest *n);

#endif
