/* Event tables: reads their .json files. */
#ifndef PERF_PMU_EVENT_TABLE_FILES_H
#define PERF_PMU_EVENT_TABLE_FILES_H

#include "event-table-reader.h"

/* reads every .json file of a directory, by name; not of its subdirectories */
int table_read_dir(struct table_reader *r, const char *dir);
int table_read_file(struct table_reader *r, const char *path);

#endif
