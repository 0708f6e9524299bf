/* Names of events that PMUs have in sysfs, or event tables have for them. */
#ifndef PERF_PMU_PARSE_ALIAS_H
#define PERF_PMU_PARSE_ALIAS_H

#include "parse-state.h"

/* the CPUs on which an event of this PMU must be opened */
void parse_set_pmu(struct parser *ps, struct event *ev, const struct pmu *pmu);
/* an alias in sysfs, and in the table once it is used; 1: it is not one */
int parse_alias(struct parser *ps, struct span word, const struct terms *terms, struct span whole);
bool is_alias(struct parser *ps, struct span word);
/* a name of the table, as parse_name(); 1: it is not one */
int parse_table_name(struct parser *ps, struct span word, const struct terms *terms, struct span whole);

#endif
