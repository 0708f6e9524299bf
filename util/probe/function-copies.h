/* Function-copies: code of a function that was inlined into others. */
#ifndef PERF_PROBE_FUNCTION_COPIES_H
#define PERF_PROBE_FUNCTION_COPIES_H

#include "debug-file.h"
#include "function.h"

/* adds all instances of f: in its own unit, and in others that refer to it */
void function_find_copies(struct debug_file *d, struct function *f);

#endif
