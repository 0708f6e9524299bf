/* Event table reader: the state of one call that reads event tables, for util/pmu/event-table*.c only. */
#ifndef PERF_PMU_EVENT_TABLE_READER_H
#define PERF_PMU_EVENT_TABLE_READER_H

#include "event-rows.h"
#include "json-plugin.h"
#include "../base/err.h"

/* far more than any vendor publishes: larger files are refused */
#define TABLE_FILE_MAX (64u << 20)
#define TABLE_FILES_MAX 4096
#define TABLE_ROWS_MAX 500000u

/* one call that reads tables */
struct table_reader {
	struct event_table *t;
	const struct json_plugin_ops *json;	/* loaded with the first file */
	/* the directory that was named, with or without mapfile.csv */
	const char *root;
	const char *default_pmu;		/* of events without Unit */
	/* events of the files beside mapfile.csv; NULL: not read yet */
	struct event_table *standards;
	const char *path;			/* the current file */
	const char *topic;			/* its name as words */
	bool standards_only;			/* this call reads them */
	bool fixed_counters;			/* x86: event 0 means a fixed counter */
	unsigned int nr_files;
	struct err *err;
};

#endif
