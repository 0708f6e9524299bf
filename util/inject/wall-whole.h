/*
 * Wall-whole: whether a recording has the switches of whole CPUs, so that they say when threads get a CPU, or
 * those of some threads alone.
 */
#ifndef PERF_INJECT_WALL_WHOLE_H
#define PERF_INJECT_WALL_WHOLE_H

#include "wall-fields.h"

/*
 * WALL_WHOLE_CPUS: on each CPU the thread that leaves it is the one that got it before. WALL_WHOLE_SOME: it
 * is another one, so those of some threads are recorded, on all CPUs. Looks at the first switches; unknown
 * if nothing can be told from them, or if the file names the threads that were recorded. *ret_cpus: how many
 * CPUs they are of, if the machine had others: an event for each CPU was open; 0: all, or not known
 */
enum wall_whole { WALL_WHOLE_UNKNOWN, WALL_WHOLE_CPUS, WALL_WHOLE_SOME };
enum wall_whole wall_whole_cpus(const struct session *s, const struct wall_file_events *e, u32 *ret_cpus);

#endif
