/*
 * Lib: libraries whose functions perf calls directly, each loaded when first needed. libs.def has a row for each function. Callers
 * include the library's own header and are written, and checked by the compiler, as if they were linked with it. Who opens what the
 * library reads calls lib_load() first; a call before that is an error of the program. A loaded library stays loaded.
 */
#ifndef PERF_LIB_LIB_H
#define PERF_LIB_LIB_H

#include "../base/err.h"

enum lib {
#define LIB(name, without) LIB_##name,
#define FN(lib, type, name, params, args)
#include "libs.def"
#undef LIB
#undef FN
	NR_LIBS,
};

/* 0, or -ELIBACC with err (may be NULL) where it is not there. Threads may ask at the same time */
int lib_load(enum lib lib, struct err *err);
/* the same for those who can go on without it; a warning says once what is missing */
bool lib_usable(enum lib lib);
/* a function by its name, for one that cannot be a row (a variable argument list); NULL where the library was not loaded */
void *lib_function(enum lib lib, const char *name);

#endif
