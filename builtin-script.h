/* perf script: what its files share. */
#ifndef PERF_BUILTIN_SCRIPT_H
#define PERF_BUILTIN_SCRIPT_H

#include <stdbool.h>

/*
 * runs perf script as upstream's script for flame graphs is called; false: the arguments do not name it.
 * *ret: the exit status
 */
bool script_flamegraph(int argc, const char **argv, int *ret);

#endif
