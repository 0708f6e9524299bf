/*
 * Trace instance: where perf traces functions: an instance of tracefs of its own, or the top one where the
 * kernel offers the tracer only there (function_graph before Linux 6.11). It owns the instance and its
 * trace_pipe; every setting that others see is noted in the journal before it is changed, and put back at the
 * end.
 *
 * An own instance is named perf-PID-START, START being the start time of the process (field 22 of
 * /proc/PID/stat). So a later run recognises instances of processes that were killed, and removes them.
 */
#ifndef PERF_KERNEL_TRACE_INSTANCE_H
#define PERF_KERNEL_TRACE_INSTANCE_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "trace-journal.h"

struct trace_instance {
	char dir[64];		/* below tracefs, with a slash at its end; "": the top one */
	bool own;
	const char *tracer;
	struct trace_journal journal;
	int pipe;		/* trace_pipe, does not block; -1: not open */
};
#define TRACE_INSTANCE_INIT { .journal = TRACE_JOURNAL_INIT, .pipe = -1 }

/*
 * Cleans up after killed runs, then finds a place for this tracer and switches tracing off there. 0, or a
 * negative errno with err: no tracefs, no permission, no such tracer (with the kernel option that it needs),
 * -EBUSY: the top instance would be needed, and somebody traces there. Call trace_instance_close() then, too
 */
int trace_instance_open(struct trace_instance *t, const char *tracer, struct err *err);
/* whether the kernel has this file: "options/funcgraph-args" */
bool trace_instance_has(const struct trace_instance *t, const char *name);
/*
 * Gives a file a value, unless it has it. Files that exist only once, and options of tracers, which all
 * instances share, are changed only if nobody else uses them: else -EBUSY. *ret_line as trace_file_write()
 */
int trace_instance_set(struct trace_instance *t, const char *name, const char *value, const char **ret_line,
		       struct err *err);
/* after all other settings: makes the tracer current, and opens the pipe */
int trace_instance_set_tracer(struct trace_instance *t, struct err *err);
/* what the pipe does not tell: the comment lines at the head of the trace */
void trace_instance_head(const struct trace_instance *t, struct strbuf *out);
int trace_instance_switch(struct trace_instance *t, bool on, struct err *err);
/* appends at most one read(2): the number of bytes, 0: there is nothing, or a negative errno */
int trace_instance_read(struct trace_instance *t, struct strbuf *out);
/* puts everything back. 0, or a negative errno with err. The struct is as TRACE_INSTANCE_INIT afterwards */
int trace_instance_close(struct trace_instance *t, struct err *err);

#endif
