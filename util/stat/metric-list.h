/*
 * All metrics that can be asked for by name: built-in metrics, then metrics of the event table.
 */
#ifndef PERF_STAT_METRIC_LIST_H
#define PERF_STAT_METRIC_LIST_H

#include "../pmu/event-table.h"

struct metric_info {
	const char *name, *expr;
	const char *threshold, *scale_unit, *desc, *long_desc;	/* "" where there is none */
	const char *groups;		/* "a;b"; "" */
	const char *constraint, *pmu;	/* as in struct table_metric; "" */
	bool per_core;			/* '?' in expr counts the cores of the machine, else its chips */
	bool builtin;
};

struct metric_list {
	VEC(struct metric_info);
	struct arena arena;
};

/*
 * Built-in metrics that this machine has events for, in the order of their table, then those of table (may be
 * NULL) by name; one of the table's hides a built-in one of the same name. Strings are those of the tables,
 * or the list's own.
 */
void metric_list_make(struct metric_list *ret, const struct event_table *table);
void metric_list_release(struct metric_list *list);

/* the distinct group names of a list, sorted; owned by the list's user: free with metric_groups_release */
struct metric_groups { VEC(char *); };
void metric_groups_make(struct metric_groups *ret, const struct metric_list *list);
void metric_groups_release(struct metric_groups *g);
/* true where name is one of "a;b" */
bool metric_in_group(const struct metric_info *m, const char *group);
/* the same with a glob */
bool metric_in_group_like(const struct metric_info *m, const char *glob);
/* what a group that this program brings along is about, or "" */
const char *metric_group_desc(const char *group);

#endif
