/* perf probe --list, --del, --funcs, --line and --vars. Functions return 0, or a negative errno with err. */
#ifndef PERF_BUILTIN_PROBE_SHOW_H
#define PERF_BUILTIN_PROBE_SHOW_H

#include "util/base/err.h"

struct probe_cmd;

int probe_cmd_del(struct probe_cmd *c, struct err *err);
int probe_cmd_list(struct probe_cmd *c, struct err *err);
/* --funcs, --line, --vars */
int probe_cmd_show(struct probe_cmd *c, struct err *err);

#endif
