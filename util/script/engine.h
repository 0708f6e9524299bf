/*
 * Engine: samples for a script of the user, one after another, in the order of time, in one thread. A row of
 * languages.def names the plug-in that runs it (engine-plugin.h); what functions of scripts are given is in
 * Documentation/perf-script-python.txt and perf-script-perl.txt.
 */
#ifndef PERF_SCRIPT_ENGINE_H
#define PERF_SCRIPT_ENGINE_H

#include "../base/err.h"
#include "../event/sample.h"
#include "../session/session.h"
#include "engine-opts.h"
#include "host.h"

struct engine;

/* the records of one batch */
struct engine_batch {
	const struct rec *rec;
	const struct rec *chain;	/* of each the record with the rest of its call chain, or NULL */
	size_t nr;
};

/* runs the file: NULL with err; or NULL without err, if it called sys.exit() */
struct engine *engine_open(struct engine_opts *o, const struct session *s, struct err *err);
/* calls trace_begin(). This one and the next two: 0; 1: the script wants to end */
int engine_start(struct engine *g, struct err *err);
/* calls the functions for the records; passed: a sample passed all filters */
int engine_run(struct engine *g, const struct script_host *host, const struct engine_batch *b, bool *passed,
	       struct err *err);
/* calls trace_end(), where nothing went wrong */
int engine_stop(struct engine *g, struct err *err);
/* ends the interpreter: 0, -EPIPE, or a negative errno with err */
int engine_close(struct engine *g, struct err *err);

/*
 * All of it for a file of perf stat record: functions are called for counts and rounds. 0, -EPIPE, or a
 * negative errno with err
 */
int engine_run_counts(struct engine_opts *o, struct session *s, struct diag *diag, struct err *err);

#endif
