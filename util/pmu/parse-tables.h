/* The event tables of a parser. They are used last, because a table takes milliseconds to load. */
#ifndef PERF_PMU_PARSE_TABLES_H
#define PERF_PMU_PARSE_TABLES_H

#include "parse-state.h"

/* reads the table into ps->pmus; true if that added names, which happens at most once */
bool parse_use_tables(struct parser *ps);
/* the table, loaded if it was not; NULL if there is none or it cannot be read */
const struct event_table *parse_table(struct parser *ps);

#endif
