/*
 * Trace files: reads and writes the files that control the tracers of the kernel. A path is below tracefs:
 * "current_tracer", "instances/NAME/tracing_on". Values are without the newline at their end. Owns nothing.
 */
#ifndef PERF_KERNEL_TRACE_FILES_H
#define PERF_KERNEL_TRACE_FILES_H

#include "../base/err.h"
#include "../base/strbuf.h"

/* open(2) below tracefs; a file descriptor or a negative errno */
int trace_file_open(const char *path, int flags);
bool trace_file_exists(const char *path);
/* the contents, in out (reset first). 0, or a negative errno with err (NULL: without) */
int trace_file_read(const char *path, struct strbuf *out, struct err *err);
/*
 * The contents as trace_file_write() takes them. Comments ("#### all functions enabled ####", "no pid") and
 * commands of set_ftrace_filter ("f:traceon") are left out; "f [mod]" becomes "f:mod:mod",
 * "7 (expanded: 1408)" becomes "1408"
 */
int trace_file_value(const char *path, struct strbuf *out, struct err *err);
/*
 * Empties the file and writes each line of value with a write(2) of its own, as lists of functions need it.
 * 0, or a negative errno with err; *ret_line (or NULL): the line that the kernel refused, in value
 */
int trace_file_write(const char *path, const char *value, const char **ret_line, struct err *err);
/* whether one of the words in the file is this one: available_tracers */
bool trace_file_has_word(const char *path, const char *word);

/* err, where tracefs is not mounted or may not be used; err can be NULL */
int trace_file_explain(const char *path, int code, struct err *err);

#endif
