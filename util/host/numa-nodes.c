/* Numa-nodes: /sys/devices/system/node. */
#include "numa-nodes.h"

#include <stdio.h>
#include "../base/fs.h"
#include "../base/strbuf.h"

#define NODE_DIR "/sys/devices/system/node/"

bool numa_nodes_each(bool (*fn)(void *ctx, int node, const char *text, const struct cpulist *cpus), void *ctx)
{
	struct cpulist nodes = { 0 }, cpus = { 0 };
	struct strbuf line = STRBUF_INIT;
	bool more = !cpulist_read(&nodes, NODE_DIR "online");
	bool any = more && nodes.nr;

	for (size_t i = 0; more && i < nodes.nr; i++) {
		char path[sizeof(NODE_DIR) + 32];

		snprintf(path, sizeof(path), NODE_DIR "node%d/cpulist", nodes.v[i]);
		cpus.nr = 0;
		if (fs_read_line(path, &line))
			strbuf_reset(&line);
		if (cpulist_parse(&cpus, strbuf_str(&line), NULL))
			cpus.nr = 0;
		more = fn(ctx, nodes.v[i], strbuf_str(&line), &cpus);
	}
	vec_release(&nodes);
	vec_release(&cpus);
	strbuf_release(&line);
	return any;
}
