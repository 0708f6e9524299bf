/*
 * Zstd: .zst files, compressed records. Its functions are called as its own header declares them, and are there after zstd_load().
 */
#ifndef PERF_LIB_ZSTD_H
#define PERF_LIB_ZSTD_H

#include <zstd.h>
#include "lib.h"

struct zstd_ops {
#define FN(type, name, params, args) type (*name) params;
#include "zstd.def"
#undef FN
};

/* 0, or -ELIBACC with err where it is not there. Threads may ask at the same time */
int zstd_load(struct err *err);

#endif
