/* Event tables: mapfile.csv, which lists the files for each CPU. */
#ifndef PERF_PMU_EVENT_TABLE_MAP_H
#define PERF_PMU_EVENT_TABLE_MAP_H

#include "cpu-ident.h"
#include "event-table-reader.h"

/*
 * reads what mapfile.csv at path lists for these CPUs; 0 (perhaps without events) or
 * negative errno with err
 */
int table_read_mapfile(struct table_reader *r, const char *path, const struct cpu_idents *ids);

#endif
