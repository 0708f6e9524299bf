/*
 * Derived values: the text after the "#" of a line. Two kinds:
 * - generic ones (metrics.def) beside the events that everybody counts: "insn per cycle", "CPUs utilized",
 *   "K/sec". They key on what an event is (type, config, PMU, modifiers, cgroup), never on its name, and are
 *     left out where their base was not counted;
 * - metrics asked for by name (-M, --topdown, --transaction, --smi-cost): expressions of vendors' tables or
 *   of metric-builtin.def (metric-plan.h).
 */
#ifndef PERF_STAT_METRIC_H
#define PERF_STAT_METRIC_H

#include "../base/err.h"
#include "../event/event.h"
#include "metric-plan.h"
#include "stat-values.h"

struct stat_derive;

/*
 * Finds bases once for all printings. set, plan (NULL: generic values only) and cgroup (by event: a number
 * that differs from cgroup to cgroup; NULL: none) must live as long as the result.
 */
struct stat_derive *stat_derive_new(const struct evset *set, const struct stat_metrics *plan,
				    const u32 *cgroup);
void stat_derive_free(struct stat_derive *d);

/*
 * Appends to b->derived what is derived for this event in aggregate id and sets line->derived and
 * line->nr_derived (0: nothing). A metric by name whose ids were not counted is appended as absent, with the
 * reason.
 */
void stat_derive_add(const struct stat_derive *d, const struct stat_values *v, u32 event, u32 id,
		     struct view_block *b, struct view_line *line);

#endif
