/* perf probe --latency. */
#ifndef PERF_BUILTIN_PROBE_LATENCY_H
#define PERF_BUILTIN_PROBE_LATENCY_H

#include "util/base/err.h"

struct probe_cmd;

/* 0, or a negative errno with err */
int probe_cmd_latency(struct probe_cmd *c, struct err *err);

#endif
