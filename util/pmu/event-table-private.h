/* Reading event tables, for util/pmu/event-table*.c only. */
#ifndef PERF_PMU_EVENT_TABLE_PRIVATE_H
#define PERF_PMU_EVENT_TABLE_PRIVATE_H

#include "cpu-ident.h"
#include "event-table.h"
#include "json-plugin.h"

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

/* reads every .json file of a directory, by name; not of its subdirectories */
int table_read_dir(struct table_reader *r, const char *dir);
int table_read_file(struct table_reader *r, const char *path);
/*
 * event-table-map.c: reads what mapfile.csv at path lists for these CPUs; 0 (perhaps without events) or
 * negative errno with err
 */
int table_read_mapfile(struct table_reader *r, const char *path, const struct cpu_idents *ids);
/* event-table-json.c: one object; 0 or negative errno with err (file and line) */
int table_add_object(struct table_reader *r, unsigned int line, const struct json_member *m, size_t nr);
/*
 * event-table-formula.c: an expression for Intel's "Formula" with its lists of events and constants (JSON;
 * NULL: none), and for its "Threshold" object; "" if something in them is not known. Strings are in the
 * table's arena.
 */
const char *table_formula(struct table_reader *r, const char *formula, const char *events,
			  const char *constants);
const char *table_threshold(struct table_reader *r, const char *json);
/* the name of the PMU for a vendor's unit ("CBO", "cpu_atom"); in the table's arena */
const char *table_unit_pmu(struct table_reader *r, const char *unit);

#endif
