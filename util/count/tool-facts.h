/* Tool facts: numbers about this machine from /sys, for tool events and the literals of metrics. */
#ifndef PERF_COUNT_TOOL_FACTS_H
#define PERF_COUNT_TOOL_FACTS_H

#include "../kernel/target.h"

/* value of the fact with this config (tool-events.def); t may be NULL. False if the machine does not tell */
bool tool_fact(u64 config, const struct target *t, u64 *ret);
/* the same by name ("num_cpus"); false for names that are not facts, too */
bool tool_fact_by_name(const char *name, const struct target *t, u64 *ret);

#endif
