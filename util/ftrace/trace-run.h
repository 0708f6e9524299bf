/*
 * Run: traces a target with a tracer of the kernel: an instance of tracefs, its settings, and the loop that
 * takes the text out of its pipe. Everything is put back when it returns, however it ended.
 */
#ifndef PERF_FTRACE_TRACE_RUN_H
#define PERF_FTRACE_TRACE_RUN_H

#include "../observe/observer.h"
#include "lines.h"
#include "setup.h"

struct ftrace_run {
	const struct ftrace_opts *opts;
	const struct observe_opts *observe;
	/* before tracing begins: the comment lines at the head of the trace; or NULL */
	void (*head)(void *ctx, const char *text, size_t len);
	trace_line_fn line;
	/* after the lines of each pass; false ends the run: nobody reads the output. Or NULL */
	bool (*flush)(void *ctx);
	void *ctx;

	struct workload_result command;	/* a result: how it ended */
};

/* 0, or a negative errno with err */
int ftrace_run(struct ftrace_run *r, struct err *err);

#endif
