/* Trace lines: the text of trace_pipe, which comes in pieces, as whole lines. Owns an unfinished line. */
#ifndef PERF_FTRACE_LINES_H
#define PERF_FTRACE_LINES_H

#include "../base/strbuf.h"

/* a longer line is given in parts */
#define TRACE_LINE_MAX 65536u

struct trace_lines {
	struct strbuf rest;
};

typedef void (*trace_line_fn)(void *ctx, const char *line, size_t len);

/* calls fn for each line that is whole now, without its newline */
void trace_lines_feed(struct trace_lines *l, const char *text, size_t len, trace_line_fn fn, void *ctx);
/* the text is over: calls fn for a line without an end */
void trace_lines_end(struct trace_lines *l, trace_line_fn fn, void *ctx);
void trace_lines_release(struct trace_lines *l);

/* appends a line for a terminal, with its newline: control characters and NUL are shown as \xNN, tabs stay */
void trace_line_add_safe(struct strbuf *out, const char *line, size_t len);

#endif
