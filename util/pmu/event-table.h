/*
 * Event tables: names that vendors publish for their CPUs' events, and metrics over them, read at run time
 * from directories in the vendors' JSON form (--event-table DIR, $PERF_EVENT_TABLES, perf-events/ in the
 * search path). This tree contains no tables. The files for a CPU are chosen by its identity in mapfile.csv.
 * Loaded when a name is looked up; const afterwards.
 *
 * A directory with mapfile.csv: each line "identity regex,version,file or directory,kind,..." that matches
 * this machine's CPU adds that .json file, or the .json files of that directory. A directory without
 * mapfile.csv: all its .json files. A file is an array of objects, or an object of such arrays. An object
 * with EventName is an event, with MetricName a metric, with ArchStdEvent an event that takes missing members
 * from the event of that name in the .json files beside mapfile.csv; other objects are ignored.
 *
 * Search path, the first place that has something for this CPU: the directories of $PERF_EVENT_TABLES (colons
 * between them), $XDG_DATA_HOME/perf-events (~/.local/share/perf-events), /etc/perf-events,
 * /usr/local/share/perf-events, /usr/share/perf-events.
 */
#ifndef PERF_PMU_EVENT_TABLE_H
#define PERF_PMU_EVENT_TABLE_H

#include "event-rows.h"
#include "../base/err.h"

/*
 * The table for this machine's CPU from dir (NULL: the search path). Also 0 if there is none (ret->dir is
 * NULL then); negative errno with err for a given directory that cannot be read, or a file in it that is not
 * JSON (the message has file and line). A row that cannot be right is left out (bad).
 */
int event_table_load(struct event_table *ret, const char *dir, struct err *err);

/*
 * Where a command's event strings are looked up: --event-table, and the table once it is loaded. Zero it and
 * set dir; the table is loaded once, when an event's name is not known elsewhere.
 */
struct table_source {
	const char *dir;	/* NULL: the search path */
	bool tried;
	int status;		/* the result of event_table_load() */
	struct err err;
	struct event_table table;
};
/*
 * the table, which is loaded now if necessary, with a warning if rows are left out; NULL if there is none, or
 * with err if it cannot be read
 */
const struct event_table *table_source_get(struct table_source *s, struct err *err);
void table_source_release(struct table_source *s);

/*
 * Adds the table's events to their PMUs, as if they were in sysfs; names in sysfs have priority. The strings
 * belong to the table, which must live as long as ps. Returns the number of added events.
 */
struct pmus;
struct pmu;
size_t event_table_extend(struct pmus *ps, const struct event_table *t);
/* true if that PMU counts this event */
bool table_event_on(const struct table_event *ev, const struct pmu *pmu);

#endif
