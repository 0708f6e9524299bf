/*
 * Event tables: names that vendors publish for their CPUs' events, and metrics over them, read at run time from directories in
 * the vendors' JSON form (--event-table DIR, $PERF_EVENT_TABLES, perf-events/ in the search path). None is part of this tree.
 * The directory of a CPU is chosen through its mapfile.csv by CPU identity. Loaded when a name is asked for; const afterwards.
 *
 * A directory with mapfile.csv: each line "identity regex,version,file or directory,kind,..." that means this machine's CPU adds
 * that .json file, or the .json files of that directory. A directory without: all its .json files. A file is an array of objects,
 * or an object of such arrays. An object with EventName is an event, with MetricName a metric, with ArchStdEvent an event that
 * takes what it does not say from the event of that name in the .json files beside mapfile.csv; others are passed over.
 *
 * Search path, the first place that has something for this CPU: the directories of $PERF_EVENT_TABLES (colons between them),
 * $XDG_DATA_HOME/perf-events (~/.local/share/perf-events), /etc/perf-events, /usr/local/share/perf-events, /usr/share/perf-events.
 */
#ifndef PERF_PMU_EVENT_TABLE_H
#define PERF_PMU_EVENT_TABLE_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/vec.h"

struct table_event {
	const char *name;	/* lower case */
	const char *pmu;	/* "cpu" (whatever the core PMUs are called), "cpu_atom", "uncore_imc", ... */
	const char *terms;	/* "event=0x3c,umask=0x1,period=100003" */
	const char *desc, *long_desc, *topic, *unit;	/* "" where there is none */
	double scale;
	bool per_pkg, deprecated;
};

struct table_metric {
	const char *name, *expr, *threshold, *scale_unit, *groups, *desc, *long_desc;	/* groups: "a;b"; "" where there is none */
	const char *constraint;	/* MetricConstraint: "NO_GROUP_EVENTS", ...; "" */
	const char *pmu;	/* of hybrid machines: the core PMU it is meant for; "" */
	bool per_core;		/* AggregationMode: PerCore, not PerChip */
};

struct event_table {
	struct arena arena;
	const char *dir;	/* where it was found; NULL: there is none for this CPU */
	struct { VEC(struct table_event); } event;	/* sorted by name, then PMU */
	struct { VEC(struct table_metric); } metric;	/* sorted by name */
	const char *bad;	/* what is wrong with the first row that was left out, with its file and line; NULL: all are good */
	u32 nr_bad;
};

/*
 * The table of this machine's CPU from dir (NULL: the search path). 0 where there is none, too (ret->dir is NULL then);
 * negative errno with err for a directory that was named and cannot be read, or a file in it that is no JSON (the message has file
 * and line). A row that cannot be right is left out (bad).
 */
int event_table_load(struct event_table *ret, const char *dir, struct err *err);
void event_table_release(struct event_table *t);
/* any case; pmu: as the rows have it, or NULL for the first of that name. NULL where there is none */
const struct table_event *event_table_find(const struct event_table *t, const char *pmu, const char *name);

/*
 * What a command's event strings are looked up in: --event-table and what came of it. Zero it, set dir; the table is loaded
 * when an event's name is known to nobody else, once.
 */
struct table_source {
	const char *dir;	/* NULL: the search path */
	bool tried;
	int status;		/* of event_table_load */
	struct err err;
	struct event_table table;
};
/* the table, loaded now if need be, with a warning where rows are left out; NULL where there is none, or with err where it cannot be read */
const struct event_table *table_source_get(struct table_source *s, struct err *err);
void table_source_release(struct table_source *s);

/*
 * Adds the table's events to the PMUs they are for, as if sysfs had named them; what sysfs names wins. The strings stay the
 * table's: it must live as long as ps is asked. Returns how many were added.
 */
struct pmus;
struct pmu;
size_t event_table_extend(struct pmus *ps, const struct event_table *t);
/* whether this event is counted by that PMU */
bool table_event_on(const struct table_event *ev, const struct pmu *pmu);

#endif
