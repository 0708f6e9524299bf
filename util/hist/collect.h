/*
 * Collect: counts a profile and makes the rows of a hist from it, phase by phase: count, merge and name
 * frames, label buckets, make entries, make call graphs.
 */
#ifndef PERF_HIST_COLLECT_H
#define PERF_HIST_COLLECT_H

#include "hist.h"

/* the samples of all chunks of the session; what opts points to outlives the hist, which the caller frees */
struct hist *hist_collect(struct session *s, const struct hist_opts *opts);

#endif
