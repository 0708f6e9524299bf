/*
 * The kinds of events: generic names, raw codes, events of PMUs, aliases. Each function adds one or more
 * events for word, or fails with a message.
 */
#ifndef PERF_PMU_PARSE_SOURCES_H
#define PERF_PMU_PARSE_SOURCES_H

#include "parse-state.h"

/* a hardware, software, cache or raw name, or an alias in sysfs; 1: it is not one */
int parse_name(struct parser *ps, struct span word, const struct terms *terms, struct span whole);
int parse_pmu_event(struct parser *ps, struct span word, const struct terms *terms, struct span whole);
/* for "word:...": whether word is an event, not the system of a tracepoint */
bool is_event_name(struct parser *ps, struct span word);
/* says that no event has this name, and which ones are similar; returns a negative errno */
int parse_err_unknown(struct parser *ps, struct span word);

#endif
