/*
 * Directories: DIR/data is an ordinary file; DIR/data.N are records without a header, one file per thread of
 * the recorder. Also suggests files to users who named one that does not exist.
 */
#ifndef PERF_DATA_DIR_H
#define PERF_DATA_DIR_H

#include "data.h"

/* adds the data.N files of a directory as further streams */
int data_add_dir_streams(struct data *d, int dirfd, struct err *err);
/* adds a hint to err: which files may have been meant */
void data_hint_missing(const char *path, struct err *err);
/* the same for a file that may not be read: whose it is */
void data_hint_denied(const char *path, struct err *err);

#endif
