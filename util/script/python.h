/*
 * Python: samples for a script of the user, one after another, in the order of time, in one thread. The
 * plug-in libpython runs it (python-plugin.h); what functions of scripts are given is in
 * Documentation/perf-script.txt.
 */
#ifndef PERF_SCRIPT_PYTHON_H
#define PERF_SCRIPT_PYTHON_H

#include <signal.h>
#include "../base/err.h"
#include "../event/sample.h"
#include "../session/session.h"
#include "host.h"

struct python;

/* what the user asked for */
struct python_opts {
	const char *file;		/* NULL: no script */
	int argc;			/* what follows the file */
	const char **argv;
	volatile sig_atomic_t stop;	/* set by a signal: trace_end() is called, and that is all */
	int status;			/* filled by the run: what the script gave to sys.exit() */
};

/* the records of one batch */
struct python_batch {
	const struct rec *rec;
	const struct rec *chain;	/* of each the record with the rest of its call chain, or NULL */
	size_t nr;
};

/* runs the file: NULL with err; or NULL without err, if it called sys.exit() */
struct python *python_open(struct python_opts *o, const struct session *s, struct err *err);
/* calls trace_begin(). This one and the next two: 0; 1: the script wants to end */
int python_start(struct python *p, struct err *err);
/* calls the functions for the records; passed: a sample passed all filters */
int python_run(struct python *p, const struct script_host *host, const struct python_batch *b, bool *passed,
	       struct err *err);
/* calls trace_end(), where nothing went wrong */
int python_stop(struct python *p, struct err *err);
/* ends the interpreter: 0, -EPIPE, or a negative errno with err */
int python_close(struct python *p, struct err *err);

/* appends a script that has a function for each tracepoint of the recording, and prints what it is given */
int python_starter(const struct session *s, struct strbuf *out, struct err *err);

#endif
