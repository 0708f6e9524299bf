/*
 * Count-samples: how many samples are in a piece of a file that was written just now, in compressed records as well.
 */
#ifndef PERF_DATA_COUNT_SAMPLES_H
#define PERF_DATA_COUNT_SAMPLES_H

#include "../base/types.h"

/* the records from offset `from` to `to` of the file; up to the first that makes no sense */
u64 samples_between(int fd, u64 from, u64 to);

#endif
