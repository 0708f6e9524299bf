/* perf probe --add and --definition. */
#ifndef PERF_BUILTIN_PROBE_ADD_H
#define PERF_BUILTIN_PROBE_ADD_H

#include "util/base/err.h"

struct probe_cmd;

/* 0, or a negative errno with err */
int probe_cmd_add(struct probe_cmd *c, struct err *err);

#endif
