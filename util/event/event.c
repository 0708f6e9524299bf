/* Event sets: construction and look-up by kernel id. */
#include "event.h"

#include <linux/perf_event.h>
#include <stdlib.h>

bool event_is_clock(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE &&
	       (ev->attr.config == PERF_COUNT_SW_TASK_CLOCK || ev->attr.config == PERF_COUNT_SW_CPU_CLOCK);
}

struct evset *evset_new(void)
{
	return xcalloc(1, sizeof(struct evset));
}

void evset_free(struct evset *s)
{
	if (!s)
		return;
	vec_release(&s->ev);
	vec_release(&s->id_val);
	vec_release(&s->id_event);
	hidx_release(&s->id_idx);
	arena_release(&s->arena);
	free(s);
}

struct event *evset_add(struct evset *s, const char *name)
{
	struct event *ev = ARENA_NEW(&s->arena, struct event);

	ev->idx = s->ev.nr;
	ev->leader = ev->idx;
	ev->name = arena_strdup(&s->arena, name);
	ev->unit = "";
	ev->scale = 1.0;
	vec_push(&s->ev, ev);
	return ev;
}

void evset_remove(struct evset *s, u32 idx)
{
	u32 new_leader = idx;

	while (new_leader + 1 < s->ev.nr && s->ev.v[new_leader + 1]->leader == idx && new_leader == idx)
		new_leader++;
	for (u32 i = 0; i < s->ev.nr; i++) {
		struct event *ev = s->ev.v[i];

		if (ev->leader == idx && i != idx)
			ev->leader = new_leader;
		if (ev->leader > idx)
			ev->leader--;
		if (i > idx)
			s->ev.v[ev->idx = i - 1] = ev;
	}
	s->ev.nr--;
}

struct event *evset_by_id(const struct evset *s, u64 id)
{
	u32 k;

	HIDX_FOREACH(&s->id_idx, hash_u64(id), k)
		if (s->id_val.v[k] == id)
			return s->ev.v[s->id_event.v[k]];
	return NULL;
}

void evset_set_ids(struct evset *s, struct event *ev, const u64 *ids, u32 nr)
{
	ev->ids = arena_memdup(&s->arena, ids, nr * sizeof(*ids));
	ev->nr_ids = nr;
	for (u32 i = 0; i < nr; i++) {
		if (evset_by_id(s, ids[i]))
			continue;	/* the file is damaged: the first event keeps the id */
		hidx_insert(&s->id_idx, hash_u64(ids[i]), s->id_val.nr);
		vec_push(&s->id_val, ids[i]);
		vec_push(&s->id_event, ev->idx);
	}
}

bool evset_samples(const struct evset *s, u64 bits)
{
	vec_foreach(&s->ev, ev)
		if (((*ev)->attr.sample_type & bits) == bits)
			return true;
	return false;
}
