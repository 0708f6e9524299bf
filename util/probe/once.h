/*
 * Once: probes for the duration of a command: "probe(DEFINITION)" and markers "%sdt_PROVIDER:NAME" among the
 * events of perf record, stat, trace and top, and the probes of perf probe --latency. A process that waits
 * for the end of this one, however that comes, removes them, so nothing stays after Ctrl-C, SIGTERM or
 * SIGKILL either; it also warns when they occur so often that they slow the programs down (guard.h). If both
 * were killed, the next command that makes such probes removes them (left-over.h).
 */
#ifndef PERF_PROBE_ONCE_H
#define PERF_PROBE_ONCE_H

#include "../base/err.h"
#include "../base/strbuf.h"

struct probe_once {
	/*
	 * whose functions are meant if no file is named: the command's program, or a process; else those of
	 * the kernel, as functions that the program does not have
	 */
	const char *program;	/* NULL: none */
	int pid;		/* 0: none */
	int fd;			/* of the process that removes the probes; the caller sets it to -1 */
};

#define PROBE_ONCE_INIT { .fd = -1 }

/*
 * Does it for the words of a command: options are argv[1] to argv[words - 1], the command that is to run
 * begins at argv[words]. -p names the process. Words that change are replaced in argv, and kept until the
 * program ends.
 */
int probe_once_args(struct probe_once *o, int argc, const char **argv, int words, struct err *err);
/* whether a text has such an event */
bool probe_once_wanted(const char *text);
/*
 * Makes the probes that texts name, and writes to each of outs (nr of both) its text with the names of the
 * events instead. 0, or a negative errno with err: nothing was made then
 */
int probe_once_begin(struct probe_once *o, const char *const *texts, struct strbuf *outs, size_t nr,
		     struct err *err);
/* removes them, and returns when that is done */
void probe_once_end(struct probe_once *o);

#endif
