/* Tool facts: numbers about this machine from /sys, for tool events and the literals of metrics. */
#ifndef PERF_COUNT_TOOL_FACTS_H
#define PERF_COUNT_TOOL_FACTS_H

#include "../kernel/target.h"

/*
 * the value of the fact with this name ("num_cpus", tool-events.def); t may be NULL. False if the machine
 * does not tell, and for names that are not facts
 */
bool tool_fact_by_name(const char *name, const struct target *t, u64 *ret);

#endif
