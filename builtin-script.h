/* perf script: what its files share. */
#ifndef PERF_BUILTIN_SCRIPT_H
#define PERF_BUILTIN_SCRIPT_H

#include <stdbool.h>
#include "util/base/types.h"

struct err;
struct language;
struct option;
struct engine_opts;
struct strbuf;
struct evset;
struct script_fields;
struct sample_filter;
struct session;
struct session_opts;

/* what analyses by name are given of the options; they can follow the name, too */
struct script_by_name {
	struct session_opts *session;
	struct sample_filter *filter;
	const bool *json;
	bool all_cpus;
	char separator;
	const struct option *options;
	const bool *given;	/* by row of options: it was on the command line */
	const char *const *usage;
	/* of scripts that are files: the words before the name; what shows a recording with engine */
	const char *const *word;
	int nr_words;
	struct engine_opts *engine;
	int (*show)(void *ctx);
	void *ctx;
};

/*
 * NAME, record NAME, report NAME, with their arguments, of an analysis or of a script in a folder of the user
 * or of a package; returns the exit status
 */
int script_run_name(struct script_by_name *o, int argc, const char **argv);
/* the same of an analysis; other names are unknown */
int script_run_analysis(struct script_by_name *o, int argc, const char **argv);
/* the three ways to run an analysis: of a recording that is made, is read, or of what runs now */
#define SCRIPT_RECORD	(1u << 0)
#define SCRIPT_REPORT	(1u << 1)
#define SCRIPT_LIVE	(1u << 2)
struct analysis;
struct analysis_run;
struct nearest;
/* shows the result as the options say, or writes its files */
int script_show_analysis(const struct script_by_name *o, const struct analysis *a, struct analysis_run *run,
			 struct err *err);
/*
 * one of many tables, after which the next one begins: a terminal shows only the newest, and none goes
 * through a pager
 */
int script_show_next(const struct script_by_name *o, const struct analysis *a, struct analysis_run *run,
		     struct err *err);
/* 0, or 129 after a message: an option was given that does nothing in this way to run it */
int script_check_options(const struct script_by_name *o, const struct analysis *a, unsigned int form);
/*
 * whether the command of record and of the live form can begin with this word; NULL: there is none. args: the
 * arguments of the analysis or script, as its list shows them
 */
int script_check_command(const char *name, const char *args, const char *word, struct err *err);
/*
 * runs recorder in a process of its own; answer reads standard input, to which the recorder writes. Returns
 * the exit status
 */
int script_pipe(int (*recorder)(void *ctx), int (*answer)(void *ctx), void *ctx);
/* the same with perf record, its arguments and the user's */
int script_record_and(const char *const *record, int argc, const char **argv, int (*answer)(void *ctx),
		      void *ctx);
/*
 * perf record with the events that the script has functions for; to_pipe: to standard output. argv: options
 * and the command. Returns the exit status
 */
struct user_script;
int script_record_events(const struct user_script *s, bool to_pipe, bool all_cpus, int argc,
			 const char **argv);
/* -l: the names with their arguments */
int script_list_names(void);
/* appends the names alone, a line each */
void script_add_names(struct strbuf *out);
/* names of scripts that are files, for "did you mean" */
void script_offer_names(struct nearest *n);

/*
 * runs perf script as upstream's script for flame graphs is called; false: the arguments do not name it.
 * *ret: the exit status
 */
bool script_flamegraph(int argc, const char **argv, int *ret);

/* where lines go: one file per event (--per-event-dump), or standard output */
struct script_opts;
struct script_out {
	bool per_event;
	const struct evset *set;
	const char *path;		/* of the recording: files are named after it */
	struct script_out_event *ev;	/* by event idx */
};
int script_out_open(struct script_out *o, struct err *err);
/* a script_sink whose ctx is a struct script_out */
int script_out_write(void *ctx, u32 event, const char *text, size_t len);
/* says what was written */
void script_out_close(struct script_out *o, const struct script_opts *opts);

/* documents of a hardware trace instead of lines: a picture of its calls; its bytes. NULL: not asked for */
struct script_trace {
	const char *timeline, *dump;
};
struct itrace_opts;
/* what excludes them, as a message; NULL: nothing. lists: samples are to be listed */
const char *script_trace_conflict(const struct script_trace *t, bool lists, const struct sample_filter *f,
				  const struct itrace_opts *o);
/* 0, or a negative errno with err */
int script_write_trace(struct session *s, const struct script_trace *t, const struct script_opts *o,
		       struct err *err);
/* pieces of a trace that filters leave out need not be decoded, unless something sees samples before them */
void script_limit_trace(struct session *s, const struct script_opts *o);

/* of --gen-script: the file that is written; NULL: none */
struct script_starter {
	const struct language *language;
	char *file;
};

/* --script: the value is a struct engine_opts; --gen-script: a struct script_starter */
int script_parse_name(const struct option *opt, const char *arg, bool unset);
int script_parse_starter(const struct option *opt, const char *arg, bool unset);
/*
 * warns of -F beside --script; the first Ctrl-C lets the script show what it has, the second one ends perf
 */
void script_prepare_engine(struct engine_opts *o, const struct script_fields *f);
/* writes a script to the file, which must not be there; a negative errno with err */
int script_write_starter(const struct session *s, const struct script_starter *o, struct err *err);

#endif
