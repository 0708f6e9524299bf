/*
 * Self: the file of this program, beside which its plug-ins and pages are: what /proc/self/exe leads to;
 * where /proc is not mounted, or the dynamic linker was started with the program as an argument, the path
 * that was started.
 */
#ifndef PERF_BASE_SELF_H
#define PERF_BASE_SELF_H

#include "types.h"

/* an absolute path without links; NULL: unknown. Found by the first call, which main() makes */
const char *self_path(void);
/* a path at which this very file can be opened and started, also after an upgrade; NULL: unknown */
const char *self_file(void);
/*
 * Before all others: this code is in a shared object that another program has loaded, and path is its file,
 * absolute and without links
 */
void self_set(const char *path);

#endif
