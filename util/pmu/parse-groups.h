/*
 * Decisions that need the complete group: one kernel group for each PMU, and terms that refer to other
 * members.
 */
#ifndef PERF_PMU_PARSE_GROUPS_H
#define PERF_PMU_PARSE_GROUPS_H

#include "parse-state.h"

/*
 * the events from `from` on are a group: sorts them into one group per PMU and applies the
 * terms that need the whole group
 */
int group_finish(struct parser *ps, u32 from);
/* checks ratios of events that are in no group */
int ratios_outside(struct parser *ps);
/* removes events for which term cpu= left no CPU; -EINVAL if that removes all of them */
int drop_without_cpus(struct parser *ps, u32 from, struct span word);

#endif
