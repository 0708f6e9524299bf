/* Counts: the matrix itself. */
#include "counts.h"

#include <stdlib.h>
#include <string.h>
#include "../base/alloc.h"

void counts_init(struct counts *c, u32 nr_events, const int *cpu, u32 nr_cpus, const s32 *tid, u32 nr_threads)
{
	*c = (struct counts){ .nr_events = nr_events, .nr_cpus = nr_cpus, .nr_threads = nr_threads };
	c->v = xcalloc(counts_nr(c), sizeof(*c->v));
	c->state = xcalloc(counts_nr(c), sizeof(*c->state));
	c->cpu = xmemdup(cpu, nr_cpus * sizeof(*cpu));
	c->tid = xmemdup(tid, nr_threads * sizeof(*tid));
	c->refused = xcalloc(nr_events, sizeof(*c->refused));
}

void counts_copy(struct counts *to, const struct counts *from)
{
	memcpy(to->v, from->v, counts_nr(from) * sizeof(*from->v));
	memcpy(to->state, from->state, counts_nr(from) * sizeof(*from->state));
	memcpy(to->refused, from->refused, from->nr_events * sizeof(*from->refused));
}

static u64 since(u64 now, u64 before)
{
	return now >= before ? now - before : now;
}

void counts_since(struct counts *ret, const struct counts *now, const struct counts *before,
		  const struct evset *set)
{
	size_t per_event = (size_t)now->nr_cpus * now->nr_threads;

	for (u32 e = 0; e < now->nr_events; e++) {
		bool snapshot = evset_at(set, e)->snapshot;
		size_t first = e * per_event;

		for (size_t i = first; i < first + per_event; i++) {
			ret->v[i].val = snapshot ? now->v[i].val : since(now->v[i].val, before->v[i].val);
			ret->v[i].ena = since(now->v[i].ena, before->v[i].ena);
			ret->v[i].run = since(now->v[i].run, before->v[i].run);
		}
	}
	memcpy(ret->state, now->state, counts_nr(now) * sizeof(*now->state));
	memcpy(ret->refused, now->refused, now->nr_events * sizeof(*now->refused));
}

void counts_release(struct counts *c)
{
	free(c->v);
	free(c->state);
	free(c->cpu);
	free(c->tid);
	free(c->refused);
	*c = (struct counts){ 0 };
}
