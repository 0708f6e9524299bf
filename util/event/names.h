/*
 * Names of the kernel's generic events (names.def) as const tables: for the parser of names (util/pmu) and
 * for event/name.c, which makes names.
 */
#ifndef PERF_EVENT_NAMES_H
#define PERF_EVENT_NAMES_H

#include "../base/types.h"

struct event_name {
	u32 type;	/* PERF_TYPE_HARDWARE or PERF_TYPE_SOFTWARE */
	u64 config;
	const char *name, *alias;	/* alias may be NULL */
	const char *unnamed;		/* the name of an event that was recorded without one; may be NULL */
	const char *symbol;		/* "CPU_CYCLES" */
};
extern const struct event_name event_names[];
extern const size_t nr_event_names;
/* NULL if there is none */
const struct event_name *event_name_by_config(u32 type, u64 config);

/* cache events: config is cache | op << 8 | result << 16 */
enum { EVENT_OP_READ = 1, EVENT_OP_WRITE = 2, EVENT_OP_PREFETCH = 4, EVENT_OP_ALL = 7 };
struct event_cache_name {
	const char *name[6];	/* spellings, the usual one first, ended by NULL */
	const char *symbol;
	const char *of_misses;	/* of an operation: "load" in L1-dcache-load-misses */
	u8 ops;			/* of a cache: which operations exist */
};
#define EVENT_NR_CACHES 7
#define EVENT_NR_CACHE_OPS 3
#define EVENT_NR_CACHE_RESULTS 2
extern const struct event_cache_name event_caches[EVENT_NR_CACHES], event_cache_ops[EVENT_NR_CACHE_OPS],
	event_cache_results[EVENT_NR_CACHE_RESULTS];

#endif
