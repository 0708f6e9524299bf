/*
 * Buildid-table: the BUILD_ID feature where map records carry no build ids (an old kernel, --no-buildid-mmap): of every
 * executable file that the side-band of a finished file names, of the kernel and of its modules. Samples are stepped over by their
 * headers. Files that cannot be looked into (compressed, pipes) get none.
 */
#ifndef PERF_RECORD_BUILDID_TABLE_H
#define PERF_RECORD_BUILDID_TABLE_H

#include "../data/features.h"

/* fills f->buildids (names in f's arena) from the records in [off, off + size) of fd, and marks the feature where there are any */
void buildid_table_gather(struct features *f, int fd, u64 off, u64 size);

#endif
