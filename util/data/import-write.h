/* Import-write: stacks of a profile of another program as a packed recording. */
#ifndef PERF_DATA_IMPORT_WRITE_H
#define PERF_DATA_IMPORT_WRITE_H

#include "../base/err.h"
#include "../view/stacks.h"

#define IMPORT_COUNTS "\1"

/*
 * Writes finished stacks into a descriptor of an empty file; modules without names are named origin. sums: a
 * stack is one sample, however many it had, and each event has a second one after all others, whose name
 * begins with IMPORT_COUNTS: its periods are those numbers. So a fleet's stacks need few samples
 */
int import_write(int fd, const struct stacks *s, const char *origin, bool sums, struct err *err);

#endif
