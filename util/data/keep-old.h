/* Keep-old: an output that exists already is kept as path.old before a new one is written. */
#ifndef PERF_DATA_KEEP_OLD_H
#define PERF_DATA_KEEP_OLD_H

#include "../base/err.h"
#include "../base/types.h"

/* true if a path is a link to a descriptor, such as /dev/stdout or /dev/fd/3 */
bool writer_is_descriptor_link(const char *path);
/* renames path (a file or a directory) to path.old if it is not empty */
int writer_keep_old(const char *path, struct err *err);

#endif
