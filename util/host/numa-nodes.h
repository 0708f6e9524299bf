/* Numa-nodes: the online NUMA nodes of this machine and their CPUs, as sysfs lists them. */
#ifndef PERF_HOST_NUMA_NODES_H
#define PERF_HOST_NUMA_NODES_H

#include "../base/cpulist.h"

/*
 * Calls fn for each node in rising order until it returns false. text: its CPUs as sysfs writes them,
 * "0-3,8"; cpus: the same as numbers. Both are empty for a node without CPUs, or if they cannot be read.
 * Returns false if the machine has no list of nodes
 */
bool numa_nodes_each(bool (*fn)(void *ctx, int node, const char *text, const struct cpulist *cpus),
		     void *ctx);

#endif
