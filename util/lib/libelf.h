/*
 * Libelf: ELF files. Its functions are called as its own header declares them, and are there after libelf_load().
 */
#ifndef PERF_LIB_LIBELF_H
#define PERF_LIB_LIBELF_H

#include <gelf.h>
#include "lib.h"

struct libelf_ops {
#define FN(type, name, params, args) type (*name) params;
#include "libelf.def"
#undef FN
};

/* 0, or -ELIBACC with err where it is not there. Threads may ask at the same time */
int libelf_load(struct err *err);
/* the same for those who can go on without it; a warning says once what is missing */
bool libelf_usable(void);

#endif
