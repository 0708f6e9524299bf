/*
 * Event tables: names that vendors publish for their CPUs' events, and metrics over them, read at run time from directories in
 * the vendors' JSON form (--event-table DIR, $PERF_EVENT_TABLES, perf-events/ in the search path). None is part of this tree.
 * The directory of a CPU is chosen through its mapfile.csv by CPU identity. Loaded when a name is asked for; const afterwards.
 */
#ifndef PERF_PMU_EVENT_TABLE_H
#define PERF_PMU_EVENT_TABLE_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/vec.h"

struct table_event {
	const char *name;	/* lower case */
	const char *pmu;	/* "cpu", "uncore_imc", ... */
	const char *terms;	/* "event=0x3c,umask=0x1,period=100003" */
	const char *desc, *long_desc, *topic, *unit;	/* "" where there is none */
	double scale;
	bool per_pkg, deprecated;
};

struct table_metric {
	const char *name, *expr, *threshold, *scale_unit, *groups, *desc, *long_desc;	/* groups: "a;b"; "" where there is none */
	const char *constraint;	/* MetricConstraint: "NO_GROUP_EVENTS", ...; "" */
	const char *pmu;	/* of hybrid machines: the core PMU it is meant for; "" */
	bool per_core, per_chip;/* AggregationMode */
};

struct event_table {
	struct arena arena;
	const char *dir;	/* where it was found; NULL: there is none for this CPU */
	struct { VEC(struct table_event); } event;	/* sorted by name */
	struct { VEC(struct table_metric); } metric;	/* sorted by name */
};

/*
 * The table of this machine's CPU from dir (NULL: the search path). 0 where there is none, too (ret->dir is NULL then);
 * negative errno with err for a directory that was named and cannot be read, or a file in it that is not what it should be
 * (the message has file and line).
 */
int event_table_load(struct event_table *ret, const char *dir, struct err *err);
void event_table_release(struct event_table *t);
const struct table_event *event_table_find(const struct event_table *t, const char *pmu, const char *name);

#endif
