/* Places: topology files to struct cpu_location. */
#include "cpu-location.h"

#include <stdio.h>
#include <stdlib.h>
#include "../base/cpulist.h"
#include "../base/fs.h"
#include "../host/numa-nodes.h"

#define CPU_DIR "/sys/devices/system/cpu/cpu%d"
#define CACHES_MAX 32

static s32 read_id(int cpu, const char *file, s32 fallback)
{
	char path[128];
	s64 v;

	snprintf(path, sizeof(path), CPU_DIR "/%s", cpu, file);
	return fs_read_s64(path, &v) ? fallback : (s32)v;
}

/* the number of a cache: its file id, on older kernels the first CPU that shares it */
static s32 cache_id(int cpu, int index)
{
	char path[128];
	struct cpulist shared = { 0 };
	s64 v;
	s32 id = -1;

	snprintf(path, sizeof(path), CPU_DIR "/cache/index%d/id", cpu, index);
	if (!fs_read_s64(path, &v))
		return v;
	snprintf(path, sizeof(path), CPU_DIR "/cache/index%d/shared_cpu_list", cpu, index);
	if (!cpulist_read(&shared, path) && shared.nr)
		id = shared.v[0];
	vec_release(&shared);
	return id;
}

/* of that level; of the highest one where it is 0. Instruction caches are none of data's */
static void find_cache(struct cpu_location *p, u32 level)
{
	struct strbuf type = STRBUF_INIT;

	for (int i = 0; i < CACHES_MAX; i++) {
		char path[128];
		s64 v;

		snprintf(path, sizeof(path), CPU_DIR "/cache/index%d/level", p->cpu, i);
		if (fs_read_s64(path, &v))
			break;
		snprintf(path, sizeof(path), CPU_DIR "/cache/index%d/type", p->cpu, i);
		if (!fs_read_line(path, &type) && *strbuf_str(&type) == 'I')
			continue;
		if (level ? v != level : v < p->cache_level)
			continue;
		p->cache_level = v;
		p->cache = cache_id(p->cpu, i);
	}
	strbuf_release(&type);
}

struct located_cpus {
	struct cpu_location *v;
	u32 nr;
};

static bool set_node(void *ctx, int node, const char *text UNUSED, const struct cpulist *cpus)
{
	struct located_cpus *l = ctx;

	for (u32 i = 0; i < l->nr; i++)
		if (cpulist_has(cpus, l->v[i].cpu))
			l->v[i].node = node;
	return true;
}

struct cpu_location *places_of_cpus(struct arena *a, const int *cpu, u32 nr, u32 cache_level)
{
	struct cpu_location *p = arena_zalloc(a, nr * sizeof(*p));

	for (u32 i = 0; i < nr; i++) {
		p[i] = (struct cpu_location){
			.cpu = cpu[i],
			.socket = MAX(read_id(cpu[i], "topology/physical_package_id", 0), 0),
			.die = MAX(read_id(cpu[i], "topology/die_id", 0), 0),
			.cluster = read_id(cpu[i], "topology/cluster_id", -1),
			.core = read_id(cpu[i], "topology/core_id", cpu[i]),
			.node = 0, .cache = -1, .cache_level = -1,
		};
		if (cpu[i] >= 0)
			find_cache(&p[i], cache_level);
	}
	numa_nodes_each(set_node, &(struct located_cpus){ p, nr });
	return p;
}

const char **comms_of_threads(struct arena *a, const s32 *tid, u32 nr)
{
	const char **comm = arena_alloc(a, MAX(nr, 1u) * sizeof(*comm));
	struct strbuf line = STRBUF_INIT;

	for (u32 i = 0; i < nr; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/proc/%d/comm", tid[i]);
		comm[i] = fs_read_line(path, &line) ? "" : arena_strdup(a, strbuf_str(&line));
	}
	strbuf_release(&line);
	return comm;
}
