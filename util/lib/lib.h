/*
 * Lib: libraries whose functions perf calls directly, each loaded when first needed. libs.def has a row for
 * each function. Callers include the library's own header and are written, and checked by the compiler, as if
 * they were linked with it. The code that opens what the library reads calls lib_load() first; calling a
 * function before that is a bug. A loaded library stays loaded.
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

/* 0, or -ELIBACC with err (may be NULL) if it is not installed. Several threads may call it at a time */
int lib_load(enum lib lib, struct err *err);
/* the same for callers that can go on without it; one warning says what is missing */
bool lib_usable(enum lib lib);
/*
 * a function by its name, for functions that cannot have a row (variable argument lists); NULL if the library
 * is not loaded
 */
void *lib_function(enum lib lib, const char *name);

#endif
