/*
 * Script: every record of a profile as text, in order, as "perf script" prints it. Batches of records come
 * from the ordered cursor; slices of a batch are formatted by the pool's workers and written in order. Symbol
 * tables are loaded when the first frame needs them. Never prints but to the sink it is given.
 */
#ifndef PERF_SCRIPT_SCRIPT_H
#define PERF_SCRIPT_SCRIPT_H

#include "../base/err.h"
#include "script-opts.h"

/*
 * Writes len bytes; with per_event those of one event (its idx; ID_NONE: lines of no event, as of side-band).
 * Negative errno ends the run.
 */
typedef int (*script_sink)(void *ctx, u32 event, const char *text, size_t len);

/* Fits opts->fields to the events of the file, before the run: -EINVAL with err for those that it lacks. */
int script_check(const struct session *s, struct script_opts *opts, struct err *err);
/*
 * A session that is read live is shown as it comes. 0, -EPIPE where the reader went away, or another
 * negative errno with err.
 */
int script_run(struct session *s, struct script_opts *opts, script_sink sink, void *ctx, struct err *err);

#endif
