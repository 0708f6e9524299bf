/*
 * Label buckets: replaces frames by labels in the buckets of all workers, in place, and merges their sample
 * keys, so that the phases after it use labels and keys of the hist only.
 */
#ifndef PERF_HIST_LABEL_BUCKETS_H
#define PERF_HIST_LABEL_BUCKETS_H

#include "count-worker.h"
#include "hist.h"
#include "labelled.h"

/* after frame_labels_make(); consumes the workers' buckets */
void label_buckets(struct hist *h, struct count_worker *workers, struct worker_results *ret);

#endif
