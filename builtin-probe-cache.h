/* perf probe --cache. Functions return 0, or a negative errno with err. */
#ifndef PERF_BUILTIN_PROBE_CACHE_H
#define PERF_BUILTIN_PROBE_CACHE_H

#include "util/base/err.h"

struct probe_cmd;
struct probe_plan;

int probe_cmd_cache_list(struct probe_cmd *c, struct err *err);
int probe_cmd_cache_del(struct probe_cmd *c, struct err *err);
/* keeps the probes of a plan, which the command has made, in the build-id cache */
int probe_cmd_cache_add(struct probe_cmd *c, const struct probe_plan *plan, struct err *err);

#endif
