/*
 * Hosttopo: CPU topology, NUMA nodes, caches and memory blocks of this machine for header features, from /sys
 * through base/fs.
 */
#ifndef PERF_HOST_HOSTTOPO_H
#define PERF_HOST_HOSTTOPO_H

#include "../data/features.h"

/* nr_cpus_avail must be set */
void hosttopo_gather(struct features *f);

#endif
