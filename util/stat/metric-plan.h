/*
 * Plan: metrics that are asked for by name (-M, --topdown, --transaction, --smi-cost). They are planned
 * before counting, because the plan adds the events that they need.
 */
#ifndef PERF_STAT_METRIC_PLAN_H
#define PERF_STAT_METRIC_PLAN_H

#include "../base/err.h"
#include "../event/event.h"
#include "metric-opts.h"

struct stat_metrics;

/*
 * Appends the events that the metrics need to set: those of one metric in one weak group a PMU, where metrics
 * share a group if one needs a part of what another needs; software and tool events alone. *ret is NULL where
 * o asks for none; it and the table must not outlive set and table. -EINVAL for a name that is neither a
 * metric nor a group, and for an expression or event that a table has wrong; -EOPNOTSUPP for what this
 * machine lacks. Metrics that a group or glob named and that cannot be counted here are left out, unless none
 * is left. set is as before on error. Afterwards events may be taken out, and then the set may be copied
 * after itself, once or several times, in the same order (--for-each-cgroup): each copy then has its
 * metrics.
 */
int stat_metrics_plan(struct stat_metrics **ret, struct evset *set, const struct stat_metrics_opts *o,
		      struct err *err);
/*
 * The same over events that were counted already: those of a file. nr: how many of them there are before they
 * are repeated for the next control group. -EINVAL also for a metric that needs an event which is not among
 * them. set must outlive *ret.
 */
int stat_metrics_bind(struct stat_metrics **ret, const struct evset *set, u32 nr,
		      const struct stat_metrics_opts *o, struct err *err);
void stat_metrics_free(struct stat_metrics *m);
/* the names of those that are shown; NULL from their number on */
const char *stat_metrics_name(const struct stat_metrics *m, u32 i);

#endif
