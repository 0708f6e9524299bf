/*
 * Zlib: .gz files, CRCs. Its functions are called as its own header declares them, and are there after zlib_load().
 */
#ifndef PERF_LIB_ZLIB_H
#define PERF_LIB_ZLIB_H

#include <zlib.h>
#include "lib.h"

struct zlib_ops {
#define FN(type, name, params, args) type (*name) params;
#include "zlib.def"
#undef FN
};

/* 0, or -ELIBACC with err where it is not there. Threads may ask at the same time */
int zlib_load(struct err *err);

#endif
