/* CPU nodes: which memory node each CPU belonged to, as the file's header says. */
#ifndef PERF_DATA_CPU_NODES_H
#define PERF_DATA_CPU_NODES_H

#include "../base/vec.h"

#define NODE_UNKNOWN UINT32_MAX

struct features;

struct cpu_nodes {
	VEC(u32);	/* by number of the CPU */
};

void cpu_nodes_init(struct cpu_nodes *n, const struct features *f);
void cpu_nodes_release(struct cpu_nodes *n);

static inline u32 cpu_node(const struct cpu_nodes *n, u32 cpu)
{
	return cpu < n->nr ? n->v[cpu] : NODE_UNKNOWN;
}

#endif
