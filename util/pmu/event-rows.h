/* Event rows: the events and metrics of an event table (event-table.h), and look-ups of them. */
#ifndef PERF_PMU_EVENT_ROWS_H
#define PERF_PMU_EVENT_ROWS_H

#include "../base/arena.h"
#include "../base/vec.h"

struct table_event {
	const char *name;	/* lower case */
	const char *pmu;	/* "cpu" (for core PMUs of any name), "cpu_atom", "uncore_imc", ... */
	const char *terms;	/* "event=0x3c,umask=0x1,period=100003" */
	const char *desc, *long_desc, *topic, *unit;	/* "" if there is none */
	double scale;
	bool per_pkg, deprecated;
};

struct table_metric {
	/* groups: "a;b"; "" if there is none */
	const char *name, *expr, *threshold, *scale_unit, *groups, *desc, *long_desc;
	const char *constraint;	/* MetricConstraint: "NO_GROUP_EVENTS", ...; "" */
	const char *pmu;	/* on hybrid machines: its core PMU; "" */
	bool per_core;		/* AggregationMode: PerCore, not PerChip */
};

struct event_table {
	struct arena arena;
	const char *dir;	/* where it was found; NULL: there is none for this CPU */
	struct { VEC(struct table_event); } event;	/* sorted by name, then PMU */
	struct { VEC(struct table_metric); } metric;	/* sorted by name */
	/* what is wrong with the first row that was left out, with file and line; NULL: all rows are good */
	const char *bad;
	u32 nr_bad;
};

void event_table_release(struct event_table *t);
/* name in any case; pmu: as in the rows, or NULL for the first of that name. NULL if there is none */
const struct table_event *event_table_find(const struct event_table *t, const char *pmu, const char *name);

#endif
