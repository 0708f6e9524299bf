/* Compact: what a machine that grows may forget. Everything is frozen before and afterwards. */
#include "machine-private.h"

#include <stdlib.h>

#define COMPACT_MIN 1024u	/* below as many threads, or maps, there is little to gain */

struct compact {
	struct machine *m;
	u32 *thread_to;		/* old index -> new one, or ID_NONE */
	u32 *maps_to;
};

/* positions of threads that stay */
static void choose_threads(struct compact *c, u64 before)
{
	struct machine *m = c->m;
	u32 nr = 0;

	for (u32 i = 0; i < m->threads.nr; i++) {
		bool stays = m->threads.v[i].death.time >= before;

		c->thread_to[i] = stays ? nr++ : ID_NONE;
		if (stays)
			c->maps_to[m->threads.v[i].maps] = 0;
	}
	nr = 0;
	for (u32 i = 0; i < m->maps.nr; i++)
		c->maps_to[i] = i < MAPS_FIRST_USER || c->maps_to[i] != ID_NONE ? nr++ : ID_NONE;
}

static int cmp_age(const void *a, const void *b)
{
	const struct map *x = a, *y = b;

	if (x->from.time != y->from.time || x->from.off != y->from.off)
		return when_before(x->from, y->from) ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* each address space that stays gets what it has now as maps of its own, and no parent */
static void compact_maps(struct compact *c)
{
	struct machine *m = c->m;
	struct { VEC(struct map); } map = { 0 };
	u32 *first = xreallocarray(NULL, m->maps.nr + 1ul, sizeof(*first)), nr = 0;

	for (u32 i = 0; i < m->maps.nr; i++) {
		struct map *now;
		size_t nr_now;

		first[i] = map.nr;
		if (c->maps_to[i] == ID_NONE)
			continue;
		nr_now = machine_maps_at_end(m, i, &now);
		if (nr_now)
			qsort(now, nr_now, sizeof(*now), cmp_age);
		for (size_t k = 0; k < nr_now; k++)
			vec_push(&map, now[k]);
		free(now);
	}
	first[m->maps.nr] = map.nr;
	vec_release(&m->map);
	m->map.v = map.v;
	m->map.nr = map.nr;
	m->map.alloc = map.alloc;
	for (u32 i = 0; i < m->maps.nr; i++) {
		struct maps old = m->maps.v[i];
		u32 to = c->maps_to[i];

		maps_release(&m->maps.v[i]);
		if (to == ID_NONE)
			continue;
		m->maps.v[to] = (struct maps){ .pid = old.pid, .parent = ID_NONE, .mnt_ns = old.mnt_ns,
					       .cgroup_ns = old.cgroup_ns };
		for (u32 k = first[i]; k < first[i + 1]; k++)
			maps_add_map(m, to, k);
		nr = to + 1;
	}
	m->maps.nr = nr;
	free(first);
}

static void compact_slots(struct compact *c)
{
	struct machine *m = c->m;
	struct { VEC(struct thread_slot); } old = { .v = m->slots.v, .nr = m->slots.nr };

	m->slots.v = NULL;
	m->slots.nr = m->slots.alloc = 0;
	hidx_release(&m->slot_idx);
	vec_foreach(&old, s) {
		u32 current = s->current == ID_NONE ? ID_NONE : c->thread_to[s->current];
		u32 exited = s->exited == ID_NONE ? ID_NONE : c->thread_to[s->exited];
		struct thread_slot *to;

		if (current == ID_NONE && exited == ID_NONE)
			continue;
		to = threads_slot(m, s->tid);
		to->current = current;
		to->exited = exited;
	}
	free(old.v);
}

/* a thread has always had the name that it has now: nobody asks about earlier times */
static void compact_threads(struct compact *c)
{
	struct machine *m = c->m;
	u32 nr = 0;

	m->comm_rows.nr = 0;
	for (u32 i = 0; i < m->threads.nr; i++) {
		struct thread t = m->threads.v[i];
		u32 comm = m->comm_now.v[i];

		if (c->thread_to[i] == ID_NONE)
			continue;
		t.idx = nr;
		t.maps = c->maps_to[t.maps];
		m->threads.v[nr] = t;
		m->comm_now.v[nr] = comm;
		if (comm != ID_NONE)
			vec_push(&m->comm_rows, (struct comm_row){ nr, { .from = t.birth, .comm = comm } });
		nr++;
	}
	m->threads.nr = m->comm_now.nr = nr;
}

static void compact_all(struct compact *c, u64 before)
{
	choose_threads(c, before);
	compact_maps(c);
	compact_slots(c);
	compact_threads(c);
	for (u32 i = 0; i < c->m->maps.nr; i++)
		maps_freeze(c->m, &c->m->maps.v[i]);
	threads_freeze(c->m);
}

void machine_compact(struct machine *m, u64 before)
{
	struct compact c = { .m = m };

	if (m->threads.nr < MAX(m->full_threads, COMPACT_MIN) && m->map.nr < MAX(m->full_maps, COMPACT_MIN))
		return;
	c.thread_to = xreallocarray(NULL, m->threads.nr + 1ul, sizeof(*c.thread_to));
	c.maps_to = xreallocarray(NULL, m->maps.nr + 1ul, sizeof(*c.maps_to));
	memset(c.maps_to, 0xff, (m->maps.nr + 1ul) * sizeof(*c.maps_to));
	compact_all(&c, before);
	m->full_threads = 2 * m->threads.nr;
	m->full_maps = 2 * m->map.nr;
	free(c.thread_to);
	free(c.maps_to);
}
