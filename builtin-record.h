/* The struct that perf record's options fill: options of the recording, and state of the parsing. */
#ifndef PERF_BUILTIN_RECORD_H
#define PERF_BUILTIN_RECORD_H

#include "builtin-fold.h"
#include "builtin-options.h"
#include "builtin-wall-source.h"
#include "util/obj/guest-maps.h"
#include "util/probe/once.h"
#include "util/record/record-run.h"

struct record_args {
	struct record_opts o;
	struct event_args events;
	struct record_wall {
		bool on;		/* --wall */
		struct wall_choice source;	/* with --wakers */
		const char *span;	/* --span: a function, or NULL */
		struct probe_once once;	/* its probes */
	} wall;
	bool g_given, callgraph_given, latency, unwind_live, debuginfod;
	unsigned int debuginfod_seconds;
	bool keep_names, keep_names_given;
	bool fail_on_loss;
	double loss_limit;		/* --fail-on-loss: the share that may be lost, in percent */
	struct fold_opts fold;
	struct guest_files guest;
	struct guest_maps guest_maps;	/* from them */
};
#define RECORD_ARGS_INIT { .o = RECORD_OPTS_INIT, .wall.once = PROBE_ONCE_INIT }

/*
 * for record_opts.status: a line on the terminal with rate and size, which overwrites itself, if no command
 * runs that may write there; with -v a line of its own, more and more seldom
 */
void record_status(const struct record_opts *o, u64 elapsed_ns, u64 samples, u64 bytes);
/* removes that line */
void record_status_end(const struct record_opts *o);
/* prints what was lost and written, on stderr */
void record_closing_lines(const struct record_opts *o, const struct record_result *r);
/*
 * --debuginfod: fetches debug files of the programs in the recording, those with most samples first, and
 * keeps them in the build-id cache. What cannot be fetched is not an error
 */
void record_fetch_debug_files(const struct record_args *a, const char *path);
/*
 * --keep-names, and without it if -p or -t name a task of another mount namespace: lets names of functions be
 * written at the end
 */
void record_settle_names(struct record_args *a);
/* --wall[=SOURCE] for the option table */
int record_opt_wall(const struct option *opt, const char *arg, bool unset);
/* --wall: adds its events, and says on stderr where times will come from. 0, or a negative errno with err */
int record_settle_wall(struct record_args *a, struct err *err);
/* prints the error where ret, of record_run(), is one. Does not return where a signal ended the recording */
int record_exit_status(const struct record_args *a, const struct record_result *r, int ret,
		       const struct err *err);

#endif
