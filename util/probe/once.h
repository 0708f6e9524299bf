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
	 * where functions are looked up if no file is named: in the command's program or in a process, and
	 * then, or if there is none, in the kernel
	 */
	const char *program;	/* NULL: none */
	int pid;		/* 0: none */
	int fd;			/* of the process that removes the probes; the caller sets it to -1 */
};

#define PROBE_ONCE_INIT { .fd = -1 }

/*
 * Makes the probes that the words of a command name: options are argv[1] to argv[words - 1], the command to
 * run begins at argv[words], -p names a process. Words that change are replaced in argv and kept until the
 * program ends.
 */
int probe_once_args(struct probe_once *o, int argc, const char **argv, int words, struct err *err);
/* true if the text names such a probe */
bool probe_once_wanted(const char *text);
/*
 * Makes the probes that nr texts name; each of outs gets its text with the names of the new events in place
 * of the definitions. 0, or a negative errno with err: nothing was made
 */
int probe_once_begin(struct probe_once *o, const char *const *texts, struct strbuf *outs, size_t nr,
		     struct err *err);
/* removes them, and returns when that is done */
void probe_once_end(struct probe_once *o);

#endif
