/*
 * Events that perf reads itself: tool events and sensors, by bare name and as PMUs ("tool/...",
 * "hwmon_coretemp/...").
 */
#ifndef PERF_PMU_PARSE_TOOLS_H
#define PERF_PMU_PARSE_TOOLS_H

#include "names.h"
#include "parse-state.h"

/* 1: not one of these events */
int parse_tool_name(struct parser *ps, struct span word, const struct terms *terms, struct span whole);
int parse_tool_pmu_event(struct parser *ps, struct span word, const struct terms *terms, struct span whole);
bool is_tool_name(struct parser *ps, struct span word);
void nearest_offer_tools(struct parser *ps, struct nearest *n);

#endif
