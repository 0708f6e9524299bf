/* Hosttopo: topology for the header. */
#include "hosttopo.h"
#include "../base/cpulist.h"
#include "../base/fs.h"
#include "../base/strtab.h"
#include "../data/features-write.h"
#include "numa-nodes.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>

#define CPU_DIR "/sys/devices/system/cpu/cpu%u/"

static PRINTF_LIKE(2, 3) bool read_line(struct strbuf *out, const char *fmt, ...)
{
	struct strbuf path = STRBUF_INIT;
	va_list ap;
	int ret;

	va_start(ap, fmt);
	strbuf_vaddf(&path, fmt, ap);
	va_end(ap);
	ret = fs_read_line(strbuf_str(&path), out);
	strbuf_release(&path);
	return !ret && out->len;
}

/*
 * distinct values of a topology file over all CPUs, in the order of their first appearance; the newer name is
 * tried first
 */
static u32 sibling_lists(struct features *f, const char *file, const char *old_file, const char ***ret)
{
	struct strbuf line = STRBUF_INIT;
	struct strtab tab = { 0 };
	u32 nr;

	strtab_add(&tab, "");
	for (u32 cpu = 0; cpu < f->nr_cpus_avail; cpu++)
		if (read_line(&line, CPU_DIR "topology/%s", cpu, file) ||
		    (old_file && read_line(&line, CPU_DIR "topology/%s", cpu, old_file)))
			strtab_add(&tab, line.buf);
	nr = tab.str.nr - 1;
	*ret = arena_alloc(&f->arena, nr * sizeof(**ret));
	for (u32 i = 0; i < nr; i++)
		(*ret)[i] = arena_strdup(&f->arena, strtab_get(&tab, i + 1));
	strtab_release(&tab);
	strbuf_release(&line);
	return nr;
}

static s32 *topo_ids(struct features *f, const char *file)
{
	s32 *ids = arena_alloc(&f->arena, f->nr_cpus_avail * sizeof(*ids));
	char path[128];

	for (u32 cpu = 0; cpu < f->nr_cpus_avail; cpu++) {
		s64 v;

		snprintf(path, sizeof(path), CPU_DIR "topology/%s", cpu, file);
		ids[cpu] = fs_read_s64(path, &v) ? -1 : (s32)v;
	}
	return ids;
}

static void gather_cpus(struct features *f)
{
	f->nr_core_siblings = sibling_lists(f, "package_cpus_list", "core_siblings_list", &f->core_siblings);
	f->nr_thread_siblings = sibling_lists(f, "core_cpus_list", "thread_siblings_list",
					      &f->thread_siblings);
	if (!f->nr_core_siblings)
		return;
	f->cpu_core = topo_ids(f, "core_id");
	f->cpu_socket = topo_ids(f, "physical_package_id");
	f->nr_die_siblings = sibling_lists(f, "die_cpus_list", NULL, &f->die_siblings);
	if (f->nr_die_siblings)
		f->cpu_die = topo_ids(f, "die_id");
	feature_set(f, FEAT_CPU_TOPOLOGY);
}

static u64 node_meminfo(const struct strbuf *text, const char *key)
{
	const char *p = strstr(strbuf_str(text), key);

	return p ? strtoull(p + strlen(key), NULL, 10) : 0;
}

struct gathered_nodes {
	VEC(struct feat_node);
	struct features *f;
};

static bool gather_node(void *ctx, int node, const char *text, const struct cpulist *cpus UNUSED)
{
	struct gathered_nodes *g = ctx;
	struct feat_node n = { .node = node, .cpus = arena_strdup(&g->f->arena, text) };
	struct strbuf mem = STRBUF_INIT;
	char path[128];

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/meminfo", node);
	fs_read(path, &mem);
	n.mem_total_kb = node_meminfo(&mem, "MemTotal:");
	n.mem_free_kb = node_meminfo(&mem, "MemFree:");
	vec_push(g, n);
	strbuf_release(&mem);
	return true;
}

static void gather_nodes(struct features *f)
{
	struct gathered_nodes g = { .f = f };

	if (!numa_nodes_each(gather_node, &g))
		return;
	f->nodes = arena_memdup(&f->arena, g.v, g.nr * sizeof(*g.v));
	f->nr_nodes = g.nr;
	vec_release(&g);
	feature_set(f, FEAT_NUMA_TOPOLOGY);
}

static bool read_cache(struct features *f, u32 cpu, u32 index, struct feat_cache *c)
{
	struct strbuf line = STRBUF_INIT;
	bool ok = read_line(&line, CPU_DIR "cache/index%u/level", cpu, index);

	if (ok) {
		static const char *const files[] = { "level", "coherency_line_size", "number_of_sets",
						     "ways_of_associativity" };
		u32 *const to[] = { &c->level, &c->line_size, &c->sets, &c->ways };
		static const char *const sfiles[] = { "type", "size", "shared_cpu_list" };
		const char **const sto[] = { &c->type, &c->size, &c->map };

		for (size_t i = 0; i < ARRAY_SIZE(files); i++)
			*to[i] = read_line(&line, CPU_DIR "cache/index%u/%s", cpu, index, files[i]) ?
				 strtoul(line.buf, NULL, 10) : 0;
		for (size_t i = 0; i < ARRAY_SIZE(sfiles); i++) {
			read_line(&line, CPU_DIR "cache/index%u/%s", cpu, index, sfiles[i]);
			*sto[i] = arena_strdup(&f->arena, strbuf_str(&line));
		}
	}
	strbuf_release(&line);
	return ok;
}

static bool same_cache(const struct feat_cache *a, const struct feat_cache *b)
{
	return a->level == b->level && !strcmp(a->type, b->type) && !strcmp(a->map, b->map) &&
	       !strcmp(a->size, b->size);
}

/* sorts by level, keeping the order within a level */
static void sort_caches(struct feat_cache *c, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		struct feat_cache one = c[i];
		size_t k = i;

		for (; k && c[k - 1].level > one.level; k--)
			c[k] = c[k - 1];
		c[k] = one;
	}
}

static void gather_caches(struct features *f)
{
	struct { VEC(struct feat_cache); } caches = { 0 };

	for (u32 cpu = 0; cpu < f->nr_cpus_avail; cpu++)
		for (u32 index = 0; index < 10; index++) {
			struct feat_cache c = { 0 };
			bool seen = false;

			if (!read_cache(f, cpu, index, &c))
				break;
			vec_foreach(&caches, old)
				seen |= same_cache(old, &c);
			if (!seen)
				vec_push(&caches, c);
			if (!index && !cpu) {
				f->cacheline_size = c.line_size;
				if (c.line_size)
					feature_set(f, FEAT_CACHELINE_SIZE);
			}
		}
	if (caches.nr) {
		sort_caches(caches.v, caches.nr);
		f->nr_caches = caches.nr;
		f->caches = arena_memdup(&f->arena, caches.v, caches.nr * sizeof(*caches.v));
		feature_set(f, FEAT_CACHE);
	}
	vec_release(&caches);
}

/* nodeN/memoryM: the blocks of a node as bits */
static void gather_mem_node(struct features *f, struct feat_mem_node *n, u32 node)
{
	struct strbuf path = STRBUF_INIT;
	struct { VEC(u64); } bits = { 0 };
	struct dirent *e;
	DIR *dir = opendir(fs_path(&path, "/sys/devices/system/node/node%u", node));
	unsigned int block;

	while (dir && (e = readdir(dir))) {
		if (sscanf(e->d_name, "memory%u", &block) != 1 || block >= 1u << 24)
			continue;
		while (bits.nr <= block / 64)
			vec_push(&bits, 0);
		bits.v[block / 64] |= 1ull << (block % 64);
		n->nr_bits = MAX(n->nr_bits, block + 1ull);
	}
	if (dir)
		closedir(dir);
	n->node = node;
	n->bitmap = arena_memdup(&f->arena, bits.v, bits.nr * sizeof(u64));
	vec_release(&bits);
	strbuf_release(&path);
}

static void gather_mem_topology(struct features *f)
{
	struct strbuf line = STRBUF_INIT;

	if (read_line(&line, "/sys/devices/system/memory/block_size_bytes") && f->nr_nodes) {
		f->mem_block_size = strtoull(line.buf, NULL, 16);
		f->mem_nodes = arena_zalloc(&f->arena, f->nr_nodes * sizeof(*f->mem_nodes));
		f->nr_mem_nodes = f->nr_nodes;
		for (u32 i = 0; i < f->nr_nodes; i++)
			gather_mem_node(f, &f->mem_nodes[i], f->nodes[i].node);
		feature_set(f, FEAT_MEM_TOPOLOGY);
	}
	strbuf_release(&line);
}

/* "domain0 SMT 00000003 ..." (before SCHEDSTAT_NAMED without the name); false if there is no mask */
static bool read_domain(struct features *f, const char *line, struct feat_domain *d)
{
	struct strbuf list = STRBUF_INIT;
	struct cpulist cpus = { 0 };
	char name[64], mask[1024];
	int used = 0, number;
	bool good;

	if (sscanf(line, "domain%d %n", &number, &used) != 1 || number < 0)
		return false;
	d->number = number;
	line += used;
	if (f->schedstat_version >= SCHEDSTAT_NAMED) {
		if (sscanf(line, "%63s %n", name, &used) != 1)
			return false;
		d->name = arena_strdup(&f->arena, name);
		line += used;
	}
	good = sscanf(line, "%1023s", mask) == 1 && cpulist_parse_mask(&cpus, mask);
	if (good) {
		cpulist_format(&cpus, &list);
		d->mask = arena_strdup(&f->arena, mask);
		d->cpus = arena_strdup(&f->arena, strbuf_str(&list));
	}
	vec_release(&cpus);
	strbuf_release(&list);
	return good;
}

/* the scheduling domains of each CPU, from the file with their statistics */
static void gather_domains(struct features *f)
{
	struct { VEC(struct feat_cpu_domains); } cpus = { 0 };
	struct { VEC(struct feat_domain); } domains = { 0 };
	struct strbuf text = STRBUF_INIT;
	char *save = NULL, *line;
	u32 cpu;

	fs_read("/proc/schedstat", &text);
	line = text.len ? strtok_r(text.buf, "\n", &save) : NULL;
	for (; line; line = strtok_r(NULL, "\n", &save)) {
		struct feat_domain d = { 0 };

		if (sscanf(line, "version %u", &f->schedstat_version) == 1)
			continue;
		if (sscanf(line, "cpu%u ", &cpu) == 1) {
			vec_push(&cpus, (struct feat_cpu_domains){ .cpu = cpu });
		} else if (cpus.nr && read_domain(f, line, &d)) {
			vec_push(&domains, d);
			cpus.v[cpus.nr - 1].nr++;
			f->max_domains = MAX(f->max_domains, d.number + 1);
		}
	}
	if (domains.nr) {
		struct feat_domain *all = arena_memdup(&f->arena, domains.v, domains.nr * sizeof(*all));

		f->cpu_domains = arena_memdup(&f->arena, cpus.v, cpus.nr * sizeof(*cpus.v));
		f->nr_cpu_domains = cpus.nr;
		for (u32 i = 0; i < cpus.nr; all += f->cpu_domains[i++].nr)
			f->cpu_domains[i].domain = all;
		feature_set(f, FEAT_CPU_DOMAIN_INFO);
	}
	vec_release(&cpus);
	vec_release(&domains);
	strbuf_release(&text);
}

void hosttopo_gather(struct features *f)
{
	gather_cpus(f);
	gather_nodes(f);
	gather_caches(f);
	gather_mem_topology(f);
	gather_domains(f);
}
