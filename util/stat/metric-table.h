/*
 * Metric table (--metric-only): a row for each aggregate and cgroup, a column for each metric. Every row
 * has every column, whatever was counted there, so that a column keeps its meaning.
 */
#ifndef PERF_STAT_METRIC_TABLE_H
#define PERF_STAT_METRIC_TABLE_H

#include "../view/lines.h"

struct metric_table {
	struct view_table view;
	const struct view_value *cell;	/* rows by columns; the block's */
};

/*
 * b, which has lines with their derived values, becomes a block with t as its table: its lines are then the
 * rows. t must live as long as b, and be released.
 */
void metric_table_make(struct metric_table *t, struct view_block *b);
void metric_table_release(struct metric_table *t);

#endif
