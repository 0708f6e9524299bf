/*
 * Fold: a process beside a recorder that converts its finished files, one at a time with low priority, and
 * keeps symbols between them. It is forked before the recorder has threads and rings, and ends when the
 * recorder has given it the last file, or is gone. A file gets its name when it is complete; then its source
 * is removed. What cannot be converted is kept as it is.
 */
#ifndef PERF_BUILTIN_FOLD_H
#define PERF_BUILTIN_FOLD_H

#include "util/base/err.h"
#include "util/base/vec.h"
#include "util/cli/parse-options.h"
#include "util/record/kept-outputs.h"

struct fold_format;

struct fold_opts {
	const struct fold_format *format;	/* --fold; NULL: it was not given */
	struct kept_limits keep;		/* --fold-keep, --switch-max-files: of what was converted */
	struct { VEC(const char *); } label;	/* --fold-label: "KEY=VALUE" */
	const char *keep_given;
	const char *lock;			/* --fold-lock: of several, one converts at a time; or NULL */
};

/* struct fold_opts */
int opt_fold(const struct option *opt, const char *arg, bool unset);
int opt_fold_keep(const struct option *opt, const char *arg, bool unset);
int opt_fold_label(const struct option *opt, const char *arg, bool unset);
/* "7d,2G": -EINVAL with err */
int fold_parse_keep(const char *arg, u64 *ret_ns, u64 *ret_bytes, struct err *err);
/* options that need --fold, or exclude each other: -EINVAL with err */
int fold_check(const struct fold_opts *o, struct err *err);

struct fold_process;
/* output: the name of the recorder's output, before which its files have no other letters. NULL with err */
struct fold_process *folder_new(const struct fold_opts *o, const char *output, struct err *err);
/* a finished file; never waits. For record_opts.finished: ctx is the folder */
void folder_give(void *ctx, const char *path);
/*
 * waits until all files are converted, but not longer than until a signal comes, or half a minute if a signal
 * ended the recorder already: other files are kept as they are, and the user is told
 */
void folder_free(struct fold_process *f, bool by_signal);

#endif
