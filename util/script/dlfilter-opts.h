/* Dlfilter-opts: the filter in a shared object that the user asked for. */
#ifndef PERF_SCRIPT_DLFILTER_OPTS_H
#define PERF_SCRIPT_DLFILTER_OPTS_H

#include "../base/vec.h"

/* what the user asked for */
struct dlfilter_opts {
	const char *file;		/* NULL: no filter */
	struct { VEC(const char *); } arg;
};

#endif
