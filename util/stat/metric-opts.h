/* Options of metrics by name. */
#ifndef PERF_STAT_METRIC_OPTS_H
#define PERF_STAT_METRIC_OPTS_H

#include "../base/types.h"

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

#endif
