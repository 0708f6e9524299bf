/*
 * Count-samples: counts the samples in a piece of a file that was just written, also in compressed records.
 */
#ifndef PERF_DATA_COUNT_SAMPLES_H
#define PERF_DATA_COUNT_SAMPLES_H

#include "../base/types.h"

/* counts in the records from offset `from` to `to` of the file, up to the first invalid one */
u64 samples_between(int fd, u64 from, u64 to);

#endif
