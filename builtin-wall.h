/*
 * Wall: recordings as slices of wall time: what report and script do before they show one. The recording is
 * copied to a temporary file in which samples of the event wall:slice replace all others (util/inject), and
 * which is read like any file.
 */
#ifndef PERF_BUILTIN_WALL_H
#define PERF_BUILTIN_WALL_H

#include "util/inject/inject.h"
#include "util/view/view.h"

struct wall_opts {
	bool given, off;		/* --wall, --no-wall */
	bool wakers;			/* --wakers */
	bool path;			/* --critical-path: all states of that, unless states are chosen */
	const char *path_time;		/* its part of the time, as --time or "FROM..TO"; NULL: all of it */
	u32 states;			/* which slices are shown; 0: the default */
	bool lanes;			/* for a picture of what each thread did */
	/* the table does not tell slices of different times apart: they may be added up */
	bool sums;
	const char *span;		/* --span: a function, of whose calls slices are shown; or NULL */
	struct wall_spans spans;	/* its calls */
	struct wall_summary summary;	/* of the session, if it is one of slices */
};

struct option;
/* --wall[=STATES] for the option table */
int opt_wall(const struct option *opt, const char *arg, bool unset);
/* --critical-path[=FROM..TO], too */
int opt_wall_path(const struct option *opt, const char *arg, bool unset);
/* the states that are shown, bits 1 << enum wall_state */
u32 wall_states(const struct wall_opts *o);
/*
 * session_open(), of the recording as slices if may is true and it is to be shown so: it was asked for, or
 * perf record --wall wrote it. 0, or a negative errno with err
 */
int wall_session_open(struct session **ret, const struct session_opts *so, struct wall_opts *o, bool may,
		      struct err *err);
/* the same for session_opts.convert; ctx: the struct wall_opts */
int wall_convert_session(struct session **s, const struct session_opts *so, void *ctx, struct err *err);
/* all words of --sort or --fields (NULL: none) are known to be the same for equal slices of any time */
bool wall_keys_timeless(const char *list);
/* lines about the calls of --span */
void wall_describe_span(const struct wall_opts *o, struct view *v);
void wall_opts_release(struct wall_opts *o);
/* the first lines of a report: elapsed time, share of each state, and what the recording lacks; and facts */
void wall_describe(const struct wall_opts *o, struct view *v);

#endif
