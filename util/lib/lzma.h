/*
 * Lzma: .xz files. Its functions are called as its own header declares them, and are there after lzma_load().
 */
#ifndef PERF_LIB_LZMA_H
#define PERF_LIB_LZMA_H

#include <lzma.h>
#include "lib.h"

struct lzma_ops {
#define FN(type, name, params, args) type (*name) params;
#include "lzma.def"
#undef FN
};

/* 0, or -ELIBACC with err where it is not there. Threads may ask at the same time */
int lzma_load(struct err *err);

#endif
