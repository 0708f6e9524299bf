/*
 * Merging frames: one table of the frames of all workers. A frame of several workers is one afterwards; each
 * worker has a map from its own numbers to the common ones.
 */
#ifndef PERF_HIST_MERGE_FRAMES_H
#define PERF_HIST_MERGE_FRAMES_H

#include "count-worker.h"
#include "hist.h"

/* fills h->names.frame and the workers' frame_map, nr_frames and frame_dso; consumes their frames */
void frames_merge(struct hist *h, struct count_worker *workers);

#endif
