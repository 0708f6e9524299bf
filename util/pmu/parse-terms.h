/* Terms between slashes: "period=1000,call-graph=fp", "event=0x3c,umask=1", names of events in sysfs. */
#ifndef PERF_PMU_PARSE_TERMS_H
#define PERF_PMU_PARSE_TERMS_H

#include "parse-state.h"

/* from after the opening slash to after the closing one */
int terms_parse(struct parser *ps, struct terms *ret);
/*
 * generic terms (period, name, call-graph, ...) set fields of the event; the others belong to the PMU. pmu
 * may be NULL
 */
int terms_apply(struct parser *ps, struct event *ev, const struct terms *terms, struct pmu *pmu,
		struct span whole);

#endif
