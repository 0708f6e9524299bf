/* Functions: which functions of the kernel can be traced (available_filter_functions). */
#ifndef PERF_FTRACE_FUNCTIONS_H
#define PERF_FTRACE_FUNCTIONS_H

#include "../base/err.h"
#include "../base/strbuf.h"

/*
 * Appends a line for each function whose name matches one of the globs (nr 0: each function): "f" or
 * "f [module]". 0, or a negative errno with err: the list cannot be read, or a glob matches nothing
 */
int ftrace_functions_list(const char *const *glob, size_t nr, struct strbuf *out, struct err *err);
/* err for a name or glob that the kernel does not know, with the nearest names; returns -EINVAL */
int ftrace_functions_explain(const char *name, size_t len, struct err *err);

#endif
