/* Foreign: files that users give to perf although they are not recordings. */
#ifndef PERF_DATA_FOREIGN_H
#define PERF_DATA_FOREIGN_H

#include "../base/err.h"
#include "../base/types.h"

/* fills err for a file that is not a perf.data file: what it is, and what helps. Returns -EINVAL */
int err_foreign_file(struct err *err, const char *path, const u8 *p, u64 size);

#endif
