/* Tracepoints: "sched:sched_switch", "sched:*". */
#ifndef PERF_PMU_PARSE_TRACEPOINTS_H
#define PERF_PMU_PARSE_TRACEPOINTS_H

#include "parse-state.h"

/* one or more tracepoints: both names may be patterns. Fails with a message */
int parse_tracepoint(struct parser *ps, struct span sys, struct span name);

#endif
