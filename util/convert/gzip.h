/* Gzip: a stream that compresses what is written to it into another one. Equal input gives equal bytes. */
#ifndef PERF_CONVERT_GZIP_H
#define PERF_CONVERT_GZIP_H

#include <stdio.h>
#include "../base/err.h"

/* zlib must be loaded (lib_load()). NULL with err */
FILE *gzip_begin(FILE *out, struct err *err);
/*
 * ends it, and flushes out, which stays open. ret: of what wrote, returned unless it is 0; else 0 or a
 * negative errno
 */
int gzip_end(FILE *f, int ret);

#endif
