/* CPU nodes: the lists of the file. */
#include "cpu-nodes.h"

void cpu_nodes_init(struct cpu_nodes *n, const struct session *s)
{
	*n = (struct cpu_nodes){ .feat = &s->data->feat };
	for (u32 i = 0; i < n->feat->nr_nodes; i++) {
		struct id_filter cpus = { 0 };
		struct err ignored = ERR_INIT;

		if (n->feat->nodes[i].cpus && id_filter_parse_cpus(&cpus, n->feat->nodes[i].cpus, &ignored))
			id_filter_release(&cpus);	/* a node of memory alone has an empty list */
		vec_push(&n->cpus, cpus);
	}
}

void cpu_nodes_release(struct cpu_nodes *n)
{
	vec_foreach(&n->cpus, cpus)
		id_filter_release(cpus);
	vec_release(&n->cpus);
}

bool cpu_node(const struct cpu_nodes *n, u32 cpu, u32 *ret_node)
{
	for (u32 i = 0; i < n->cpus.nr; i++) {
		if (!id_filter_has(&n->cpus.v[i], cpu))
			continue;
		*ret_node = n->feat->nodes[i].node;
		return true;
	}
	return false;
}
