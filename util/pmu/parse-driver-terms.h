/*
 * Terms that single drivers accept in addition to the fields of their format: sinks of tracing hardware,
 * locations of kprobe and uprobe.
 */
#ifndef PERF_PMU_PARSE_DRIVER_TERMS_H
#define PERF_PMU_PARSE_DRIVER_TERMS_H

#include "parse-state.h"

/* @SINK of a tracing PMU */
int apply_sink(struct parser *ps, struct event *ev, const struct pmu *pmu, struct span name);
/*
 * The location of a probe: func=NAME[,offset=N] or addr=N for kprobe, path='FILE',offset=N for uprobe. The
 * kernel takes names as pointers in config1 (kprobe_func, uprobe_path of <linux/perf_event.h>). 1: it is
 * another term
 */
int apply_probe_term(struct parser *ps, struct event *ev, const struct pmu *pmu, const struct term *t);

#endif
