/*
 * Derived values: the text after the "#" of a line. Two kinds:
 * - generic ones (metrics.def) beside the events that everybody counts: "insn per cycle", "CPUs utilized",
 *   "K/sec". They key on what an event is (type, config, PMU, modifiers, cgroup), never on its name, and are
 *     left out where their base was not counted;
 * - metrics asked for by name (-M, --topdown, --transaction, --smi-cost): expressions of vendors' tables or
 *   of metric-builtin.def. They are planned before counting, because the plan adds the events that they need.
 */
#ifndef PERF_STAT_METRIC_H
#define PERF_STAT_METRIC_H

#include "../base/err.h"
#include "../event/event.h"
#include "aggr.h"
#include "../view/lines.h"

/* the counts of one printing: a run, an interval, or the sum of all */
struct stat_values {
	const struct tallies *tallies;
	/* time that passed while these counts were made: of the interval, or the mean of the runs */
	double elapsed_ns;
	double user_ns, system_ns;	/* CPU time of the command; negative where it is not known */
};

/* ---- metrics by name ---- */

struct event_table;
struct parse_events_opts;
struct target;

struct stat_metrics_opts {
	const char *list;		/* -M: names, groups and globs of both, separated by commas; NULL */
	/* for the events of the metrics; its tables are the metrics' as well; NULL */
	const struct parse_events_opts *parse;
	const struct event_table *table;/* NULL: parse->tables, where there are some */
	const struct target *target;	/* what is counted, for #target_cpu and #core_wide; NULL: a command */
	bool no_group, no_merge, no_threshold;
	bool topdown, transaction, smi_cost;
	u32 td_level;			/* --td-level; 0: 1 */
};

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

/* ---- deriving ---- */

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
