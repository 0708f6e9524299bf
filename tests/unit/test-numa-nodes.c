/* The list of NUMA nodes: what sysfs says, and files that are damaged or missing. */
#include "test.h"
#include "fake-root.h"

#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/host/numa-nodes.h"

#define NODES "/sys/devices/system/node/"

static bool describe(void *ctx, int node, const char *text, const struct cpulist *cpus)
{
	struct strbuf *out = ctx;

	strbuf_addf(out, "%d: '%s' %zu; ", node, text, cpus->nr);
	return node != 9;
}

static void check_nodes(bool any, const char *want)
{
	struct strbuf out = STRBUF_INIT;

	CHECK_INT(numa_nodes_each(describe, &out), any);
	CHECK_STR(strbuf_str(&out), want);
	strbuf_release(&out);
}

TEST(numa_nodes)
{
	fake_file("/none", "");
	check_nodes(false, "");
	fake_file(NODES "online", "0-1,3\n");
	fake_file(NODES "node0/cpulist", "0-3,8\n");
	fake_file(NODES "node1/cpulist", "\n");
	check_nodes(true, "0: '0-3,8' 5; 1: '' 0; 3: '' 0; ");
	/* the callback stops */
	fake_file(NODES "online", "0,9,10\n");
	check_nodes(true, "0: '0-3,8' 5; 9: '' 0; ");
}

TEST(numa_nodes_hostile)
{
	fake_file(NODES "online", "rubbish\n");
	check_nodes(false, "");
	fake_file(NODES "online", "\n");
	check_nodes(false, "");
	fake_file(NODES "online", "0-99999999999\n");
	check_nodes(false, "");
	fake_file(NODES "online", "0\n");
	fake_file(NODES "node0/cpulist", "0-3,x\n");
	check_nodes(true, "0: '0-3,x' 0; ");
}
