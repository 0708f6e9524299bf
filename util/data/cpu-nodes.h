/* CPU nodes: which memory node each CPU belonged to, as the file says. */
#ifndef PERF_SESSION_CPU_NODES_H
#define PERF_SESSION_CPU_NODES_H

#include "filter-list.h"
#include "session.h"

struct cpu_nodes {
	const struct features *feat;
	struct { VEC(struct id_filter); } cpus;		/* of each of feat->nodes */
};

void cpu_nodes_init(struct cpu_nodes *n, const struct session *s);
void cpu_nodes_release(struct cpu_nodes *n);
/* false where the file does not say it */
bool cpu_node(const struct cpu_nodes *n, u32 cpu, u32 *ret_node);

#endif
