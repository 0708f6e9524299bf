/*
 * Stream view: perf diff --stream: the hot streams (hist/branch-streams.h) of two profiles beside each other:
 * what both ran often, with how often and in how many cycles, and what only one of them did.
 */
#ifndef PERF_DIFF_STREAM_VIEW_H
#define PERF_DIFF_STREAM_VIEW_H

#include "profile.h"

/*
 * Reads both files, one after another. The view, which refers to nothing of them; NULL with err, -EINVAL if a
 * file has no branch stacks, -ENOENT if no event is in both. o->choose is not used, nor is o->sort
 */
struct view *diff_streams_view(const struct diff_profile_opts *o, const char *before, const char *after,
			       void (*warn)(const struct diag *diag), struct err *err);

#endif
