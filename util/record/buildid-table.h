/*
 * Buildid-table: makes the BUILD_ID feature if map records contain no build-ids (an old kernel,
 * --no-buildid-mmap): with the ids of every executable file that the side-band of a finished file names, of
 * the kernel and of its modules. Samples are skipped by their headers. Files that cannot be read this way
 * (compressed, pipes) get no table.
 */
#ifndef PERF_RECORD_BUILDID_TABLE_H
#define PERF_RECORD_BUILDID_TABLE_H

#include "../data/features.h"

/*
 * Fills f->buildids from the records in [off, off + size) of fd, and marks the feature present if there are
 * any. Their names are in an arena of f's, which is emptied before.
 */
void buildid_table_gather(struct features *f, int fd, u64 off, u64 size);

#endif
