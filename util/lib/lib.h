/*
 * Lib: libraries whose functions perf calls directly, each loaded when first needed. The functions it calls of a library are the
 * rows of LIB.def; LIB.c defines each of them as a call into the plug-in (plugins/LIB.c), which is a table of the library's own.
 * So callers are written, and checked by the compiler, as if they were linked with it: they only say LIB_load() first, where
 * they open what the library reads. A call before that is an error of the program. A loaded library stays.
 */
#ifndef PERF_LIB_LIB_H
#define PERF_LIB_LIB_H

#include "../base/err.h"

struct lib {
	const char *name;	/* of the plug-in */
	size_t ops_size;
	const void *ops;	/* NULL until loaded */
	bool warned;
};

/* 0, or -ELIBACC with err: what plugin_load() says */
int lib_load(struct lib *lib, struct err *err);
/* loads it, too; where that fails, a warning says once what there will not be */
bool lib_usable(struct lib *lib, const char *without);

static inline const void *lib_ops(const struct lib *lib)
{
	return __atomic_load_n(&lib->ops, __ATOMIC_RELAXED);
}

#endif
