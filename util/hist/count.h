/* Counting: chunks of the file into per-worker buckets. First part of hist_collect(). */
#ifndef PERF_HIST_COUNT_H
#define PERF_HIST_COUNT_H

#include "hist-opts.h"

struct count_worker;

/* counts everything; workers is an aligned array of pool_nr_workers() zeroed elements */
void count_run(struct session *s, const struct hist_opts *opts, struct count_worker *workers);

#endif
