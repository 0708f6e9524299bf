/* Import-write: stacks of a profile of another program as a packed recording. */
#ifndef PERF_DATA_IMPORT_WRITE_H
#define PERF_DATA_IMPORT_WRITE_H

#include "../base/err.h"
#include "../obj/sympack.h"
#include "../view/stacks.h"

/* writes finished stacks into a descriptor of an empty file; modules without names are named origin */
int import_write(int fd, const struct stacks *s, const char *origin, struct err *err);
/* kind, name and build-id that a module gets there. The name may be in the arena */
void import_name_module(struct arena *arena, const char *path, const char *buildid, bool kernel,
			const char *origin, struct sympack_dso *ret);

#endif
