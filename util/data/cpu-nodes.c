/* CPU nodes: the lists of CPUs of the nodes. */
#include "cpu-nodes.h"
#include "features.h"
#include "../base/cpulist.h"

void cpu_nodes_init(struct cpu_nodes *n, const struct features *f)
{
	*n = (struct cpu_nodes){ 0 };
	for (u32 i = 0; i < f->nr_nodes; i++) {
		struct cpulist cpus = { 0 };

		/* a node of memory alone has an empty list */
		if (f->nodes[i].cpus && !cpulist_parse(&cpus, f->nodes[i].cpus, NULL))
			vec_foreach(&cpus, cpu) {
				while (n->nr <= (u32)*cpu)
					vec_push(n, NODE_UNKNOWN);
				n->v[*cpu] = f->nodes[i].node;
			}
		vec_release(&cpus);
	}
}

void cpu_nodes_release(struct cpu_nodes *n)
{
	vec_release(n);
}
