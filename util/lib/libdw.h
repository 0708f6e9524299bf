/*
 * Libdw: DWARF: source lines, inlined functions, call frames. Its functions are called as its own header declares them, and are there after libdw_load().
 */
#ifndef PERF_LIB_LIBDW_H
#define PERF_LIB_LIBDW_H

#include <elfutils/libdw.h>
#include "lib.h"

struct libdw_ops {
#define FN(type, name, params, args) type (*name) params;
#include "libdw.def"
#undef FN
};

/* 0, or -ELIBACC with err where it is not there. Threads may ask at the same time */
int libdw_load(struct err *err);
/* the same for those who can go on without it; a warning says once what is missing */
bool libdw_usable(void);

#endif
