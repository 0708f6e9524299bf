/* Where the CPUs of a file sit: its header's topology, nodes and caches. */
#include "../base/cpulist.h"
#include "../data/cpu-nodes.h"
#include "stat-file.h"

#define NONE (-1)

/* what the list of CPUs in text names gets value; through index, the positions of CPUs by number */
struct by_cpu {
	struct cpu_location *place;
	const struct counts *c;
	s32 *position;		/* of a CPU number, or NONE */
	s32 nr;			/* CPU numbers */
};

static struct cpu_location *place_of(const struct by_cpu *b, int cpu)
{
	return cpu >= 0 && cpu < b->nr && b->position[cpu] >= 0 ? &b->place[b->position[cpu]] : NULL;
}

/* a cache has no number in a header: it is called by the first CPU that it serves */
static void put_caches(const struct by_cpu *b, const struct features *f, u32 level)
{
	for (u32 i = 0; i < f->nr_caches; i++) {
		const struct feat_cache *k = &f->caches[i];
		struct cpulist list = { 0 };

		if ((level && k->level != level) || !k->map || (k->type && !strcmp(k->type, "Instruction")))
			continue;
		if (!cpulist_parse(&list, k->map, NULL))
			vec_foreach(&list, cpu) {
				struct cpu_location *p = place_of(b, *cpu);

				if (p && (s32)k->level >= p->cache_level) {
					p->cache = list.v[0];
					p->cache_level = k->level;
				}
			}
		vec_release(&list);
	}
}

void stat_locations_of_features(struct cpu_location *place, const struct counts *c, const struct features *f,
				u32 cache_level)
{
	struct by_cpu b = { .place = place, .c = c };
	struct cpu_nodes nodes;

	cpu_nodes_init(&nodes, f);
	for (u32 i = 0; i < c->nr_cpus; i++) {
		s32 cpu = c->cpu[i];
		bool known = cpu >= 0 && (u32)cpu < f->nr_cpus_avail;

		place[i] = (struct cpu_location){
			.cpu = cpu, .socket = known && f->cpu_socket ? f->cpu_socket[cpu] : NONE,
			.core = known && f->cpu_core ? f->cpu_core[cpu] : NONE,
			/* machines without dies have one a socket */
			.die = known && f->cpu_die ? f->cpu_die[cpu] : known && f->cpu_socket ? 0 : NONE,
			.cluster = NONE, .cache = NONE, .cache_level = NONE,
			.node = cpu < 0 ? NONE : (s32)cpu_node(&nodes, cpu),	/* NODE_UNKNOWN is NONE */
		};
		b.nr = MAX(b.nr, cpu + 1);
	}
	b.nr = MIN(b.nr, CPULIST_MAX);
	b.position = xmalloc((b.nr + 1) * sizeof(*b.position));
	memset(b.position, 0xff, (b.nr + 1) * sizeof(*b.position));
	for (u32 i = 0; i < c->nr_cpus; i++)
		if (c->cpu[i] >= 0 && c->cpu[i] < b.nr)
			b.position[c->cpu[i]] = i;
	put_caches(&b, f, cache_level);
	free(b.position);
	cpu_nodes_release(&nodes);
}
