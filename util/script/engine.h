/*
 * Engine: samples for a script of the user, one after another, in the order of time, in one thread. A row of
 * languages.def names the plug-in that runs it (engine-plugin.h); what functions of scripts are given is in
 * Documentation/perf-script-python.txt and perf-script-perl.txt.
 */
#ifndef PERF_SCRIPT_ENGINE_H
#define PERF_SCRIPT_ENGINE_H

#include <signal.h>
#include "../base/err.h"
#include "../event/sample.h"
#include "../session/session.h"
#include "host.h"
#include "interpreter.h"

struct engine;
struct engine_calls;
struct starter;

/* a row of languages.def */
struct language {
	const char *name;		/* this and ending are words for it on the command line */
	const char *ending;		/* of names of files, without the dot */
	const char *plugin;		/* runs its scripts */
	const char *package;		/* what is to be installed for it */
	const char *define;		/* the word before the name of a function */
	const char *scope;		/* joins a tracepoint's system and name to the name of a function */
	const struct engine_calls *calls;
	const struct starter *starter;
	/* loads the library whose functions the plug-in uses; NULL: the plug-in is linked with it */
	int (*load)(struct interpreter *ret, struct err *err);
};

/* the n-th language; NULL after the last */
const struct language *language_nth(size_t n);
/* by its name or its files' ending, in capitals or not, of which len characters count; NULL: not known */
const struct language *language_named(const char *word, size_t len);
/* the one of a file, by the ending of its name */
const struct language *language_of_file(const char *file);
/* appends the names of all languages, or the endings of their files: "Perl or Python", ".pl or .py" */
void language_list(bool endings, struct strbuf *out);

/* what the user asked for */
struct engine_opts {
	const char *file;		/* NULL: no script */
	const struct language *language;
	int argc;			/* what follows the file */
	const char **argv;
	/* a value of the user's configuration, for scripts; NULL: it has none */
	const char *(*config)(const char *name);
	volatile sig_atomic_t stop;	/* set by a signal: trace_end() is called, and that is all */
	int status;			/* filled by the run: what the script gave to sys.exit() */
};

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

/* appends a script that has a function for each tracepoint of the recording, and prints what it is given */
int starter_write(const struct language *l, const struct session *s, struct strbuf *out, struct err *err);

#endif
