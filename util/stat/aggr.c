/* Aggregation: which CPUs and threads belong together. */
#include "aggr.h"

#include <stdlib.h>
#include <string.h>

static const struct cpu_location nowhere = { -1, -1, -1, -1, -1, -1, -1, -1 };

/* the members of a place that a mode tells apart */
static struct cpu_location key_of(enum aggr_mode mode, const struct cpu_location *p)
{
	struct cpu_location k = nowhere;

	if (mode == AGGR_NODE) {
		k.node = p->node;
		return k;
	}
	k.socket = p->socket;
	if (mode == AGGR_NONE) {
		k = *p;
		return k;
	}
	if (mode != AGGR_SOCKET)
		k.die = p->die;
	if (mode == AGGR_CLUSTER)
		k.cluster = p->cluster;
	if (mode == AGGR_CORE)
		k.core = p->core;
	if (mode == AGGR_CACHE) {
		k.cache = p->cache;
		k.cache_level = p->cache_level;
	}
	return k;
}

static int compare_places(const void *a, const void *b)
{
	const struct cpu_location *p = &((const struct aggr_id *)a)->place,
			*q = &((const struct aggr_id *)b)->place;
	/* numbers of a file: their differences can be too large */
	const s32 v[][2] = { { p->socket, q->socket }, { p->die, q->die }, { p->cluster, q->cluster },
			     { p->cache, q->cache }, { p->core, q->core }, { p->node, q->node },
			     { p->cpu, q->cpu } };

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		if (v[i][0] != v[i][1])
			return v[i][0] < v[i][1] ? -1 : 1;
	return 0;
}

static u32 find_place(const struct aggr *a, const struct cpu_location *k)
{
	for (u32 i = 0; i < a->id.nr; i++)
		if (!memcmp(&a->id.v[i].place, k, sizeof(*k)))
			return i;
	return UINT32_MAX;
}

static void init_threads(struct aggr *a, const struct counts *c, const char *const *comm)
{
	a->nr_of = c->nr_threads;
	a->of = xcalloc(c->nr_threads, sizeof(*a->of));
	for (u32 t = 0; t < c->nr_threads; t++) {
		a->of[t] = t;
		vec_push(&a->id, (struct aggr_id){ .place = nowhere, .tid = c->tid[t],
						   .comm = comm ? comm[t] : NULL });
	}
}

void aggr_init(struct aggr *a, enum aggr_mode mode, const struct counts *c, const struct cpu_location *place,
	       const char *const *comm)
{
	*a = (struct aggr){ .mode = mode, .place = place, .own_cpus = !c->nr_cpus || c->cpu[0] < 0 };
	if (mode == AGGR_THREAD) {
		init_threads(a, c, comm);
		return;
	}
	a->nr_of = c->nr_cpus;
	a->of = xcalloc(MAX(c->nr_cpus, 1u), sizeof(*a->of));
	if (mode == AGGR_GLOBAL || a->own_cpus || !place) {
		a->mode = AGGR_GLOBAL;
		vec_push(&a->id, (struct aggr_id){ .place = nowhere, .tid = -1 });
		return;
	}
	for (u32 i = 0; i < c->nr_cpus; i++) {
		struct cpu_location k = key_of(mode, &place[i]);

		if (find_place(a, &k) == UINT32_MAX)
			vec_push(&a->id, (struct aggr_id){ .place = k, .tid = -1 });
	}
	if (mode != AGGR_NONE)
		qsort(a->id.v, a->id.nr, sizeof(*a->id.v), compare_places);
	for (u32 i = 0; i < c->nr_cpus; i++) {
		struct cpu_location k = key_of(mode, &place[i]);

		a->of[i] = find_place(a, &k);
	}
}

void aggr_add_cores(struct aggr *a)
{
	if (a->mode != AGGR_NONE || !a->place)
		return;
	a->core_of = xcalloc(MAX(a->nr_of, 1u), sizeof(*a->core_of));
	for (u32 i = 0; i < a->nr_of; i++) {
		struct cpu_location k = key_of(AGGR_CORE, &a->place[i]);
		u32 id = find_place(a, &k);

		a->core_of[i] = id == UINT32_MAX ? a->id.nr : id;
		if (id == UINT32_MAX)
			vec_push(&a->id, (struct aggr_id){ .place = k, .tid = -1 });
	}
}

void aggr_release(struct aggr *a)
{
	free(a->core_of);
	vec_release(&a->id);
	free(a->of);
	*a = (struct aggr){ 0 };
}
