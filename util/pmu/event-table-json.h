/* Event tables: one JSON object of a vendor's file becomes one row. */
#ifndef PERF_PMU_EVENT_TABLE_JSON_H
#define PERF_PMU_EVENT_TABLE_JSON_H

#include "event-table-reader.h"

/* adds the row of one object; 0 or negative errno with err (file and line) */
int table_add_object(struct table_reader *r, unsigned int line, const struct json_member *m, size_t nr);

#endif
