/*
 * Wall-whole: whether a recording has the switches of whole CPUs, so that they say when threads get a CPU, or
 * those of some threads alone.
 */
#ifndef PERF_INJECT_WALL_WHOLE_H
#define PERF_INJECT_WALL_WHOLE_H

#include "wall-fields.h"

/*
 * On each CPU the thread that leaves it is the one that got it before. Looks at the first switches; false if
 * nothing can be told from them, or if the file names the threads that were recorded. event: by idx
 */
bool wall_whole_cpus(const struct session *s, const struct wall_fields *event, struct tracefmt *formats);

#endif
