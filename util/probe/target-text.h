/*
 * Target-text: what perf probe prints about a target: its functions, source lines that can be probed,
 * variables.
 */
#ifndef PERF_PROBE_TARGET_TEXT_H
#define PERF_PROBE_TARGET_TEXT_H

#include <stdio.h>
#include "../base/err.h"

struct available_opts;
struct glob_filter;
struct probe_source;
struct strbuf;

/*
 * All write text to a file or append it to out, and return 0, or a negative errno with err.
 * probe_show_functions(): 1 if the filter leaves none. left gets a sentence about the functions of the kernel
 * that the default filter leaves out, and why.
 */
int probe_show_functions(struct probe_source *src, const char *filter, bool demangle, FILE *to,
			 struct strbuf *left, struct err *err);
/* place: "func", "func:FIRST-LAST", "file:FIRST+NUMBER" */
int probe_show_lines(struct probe_source *src, const char *place, struct strbuf *out, struct err *err);
/* place: as in a definition, which has no arguments */
int probe_show_variables(struct probe_source *src, const char *place, const struct available_opts *o,
			 struct strbuf *out, struct err *err);

#endif
