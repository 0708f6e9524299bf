/* Affinity: moves threads near what they read. */
#include "affinity.h"
#include "../base/cpulist.h"
#include "../host/numa-nodes.h"

#include <sched.h>

#define MASK_CPUS 8192
#define MASK_BYTES CPU_ALLOC_SIZE(MASK_CPUS)

void affinity_init(struct affinity_state *a, enum affinity mode)
{
	*a = (struct affinity_state){ .mode = mode, .cpu = -1 };
	if (mode == AFFINITY_NONE)
		return;
	a->saved = xcalloc(1, MASK_BYTES);
	if (sched_getaffinity(0, MASK_BYTES, a->saved) < 0)
		a->mode = AFFINITY_NONE;
}

struct node_search {
	int cpu;
	struct cpulist *ret;
};

static bool take_cpus(void *ctx, int node UNUSED, const char *text, const struct cpulist *cpus)
{
	struct node_search *s = ctx;

	if (!cpulist_has(cpus, s->cpu))
		return true;
	cpulist_parse(s->ret, text, NULL);
	return false;
}

void affinity_node_cpus(int cpu, struct cpulist *list)
{
	numa_nodes_each(take_cpus, &(struct node_search){ cpu, list });
	if (!list->nr)
		cpulist_add(list, cpu);
}

static void set_cpus(const int *cpu, size_t nr)
{
	u64 mask[MASK_CPUS / 64] = { 0 };

	for (size_t i = 0; i < nr; i++)
		if (cpu[i] >= 0 && cpu[i] < MASK_CPUS)
			CPU_SET_S(cpu[i], sizeof(mask), (cpu_set_t *)(void *)mask);
	if (nr)
		sched_setaffinity(0, sizeof(mask), (cpu_set_t *)(void *)mask);
}

void affinity_set(const struct cpulist *list)
{
	set_cpus(list->v, list->nr);
}

void affinity_follow(struct affinity_state *a, int cpu)
{
	struct cpulist list = { 0 };

	if (a->mode == AFFINITY_NONE || cpu < 0 || cpu == a->cpu)
		return;
	a->cpu = cpu;
	if (a->mode == AFFINITY_NODE)
		affinity_node_cpus(cpu, &list);
	if (list.nr)
		affinity_set(&list);
	else
		set_cpus(&cpu, 1);
	vec_release(&list);
}

void affinity_return(struct affinity_state *a)
{
	if (a->mode != AFFINITY_NONE && a->cpu >= 0)
		sched_setaffinity(0, MASK_BYTES, a->saved);
	a->cpu = -1;
}

void affinity_release(struct affinity_state *a)
{
	affinity_return(a);
	free(a->saved);
	a->saved = NULL;
}
