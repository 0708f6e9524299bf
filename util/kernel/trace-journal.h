/*
 * Trace journal: the former values of settings of tracefs that perf has changed and that others see too. It
 * is a file, /run/perf-ftrace, with a line "PATH=VALUE" for each change, written before the change. So the
 * values can be put back by the next run if this one is killed. A lock on the file (flock) says that a run
 * which lives uses it: the kernel releases it when the process ends, however it ends. Owns the descriptor.
 */
#ifndef PERF_KERNEL_TRACE_JOURNAL_H
#define PERF_KERNEL_TRACE_JOURNAL_H

#include "../base/err.h"

struct trace_journal {
	int fd;			/* -1: not open */
};
#define TRACE_JOURNAL_INIT { -1 }

/*
 * Creates or opens the file, locks it, and puts back what a killed run has left there. 0, or a negative errno
 * with err: -EBUSY: another run uses it
 */
int trace_journal_open(struct trace_journal *j, struct err *err);
/* notes the value that the file at path (below tracefs) has now, as trace_file_write() takes it */
int trace_journal_add(struct trace_journal *j, const char *path, const char *value, struct err *err);
/* puts all values back, the last one first, and closes. 0, or the first negative errno with err */
int trace_journal_undo(struct trace_journal *j, struct err *err);
/* puts back what a killed run has left; nothing if there is none, or if a run uses the file */
void trace_journal_recover(void);

#endif
