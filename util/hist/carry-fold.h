/* Carry, fold: counts the samples of an interval on top of what is carried (carry.h). */
#ifndef PERF_HIST_CARRY_FOLD_H
#define PERF_HIST_CARRY_FOLD_H

#include "carry.h"

/*
 * Takes what has been fed to the session (session/feed.h; all: also what would have to wait), counts it on
 * top of what is carried, and carries the result from then on. May be called several times per refresh, so
 * that records do not pile up.
 */
struct hist *hist_carry_fold(struct hist_carry *c, struct session *s, const struct hist_opts *opts, bool all);
/* the same for several counts of the same samples: between session_feed_take() and session_feed_drop() */
struct hist *hist_carry_count(struct hist_carry *c, struct session *s, const struct hist_opts *opts);

#endif
