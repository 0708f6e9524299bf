/* Locate: what lies at an address, in whose memory; and the other queries of a frozen world. */
#include "locator.h"
#include "world-priv.h"

#include <stdio.h>
#include <string.h>

static u32 space_of_mode(u32 space, u8 cpumode)
{
	switch (cpumode) {
	case CPUMODE_KERNEL:
		return SPACE_KERNEL;
	case CPUMODE_GUEST_KERNEL:
		return SPACE_GUEST_KERNEL;
	case CPUMODE_USER:
		return space;
	default:
		return WORLD_NONE;	/* hypervisor, guest user: nothing is known about their memory */
	}
}

static struct loc locate(const struct world *w, u32 space, u8 cpumode, u64 ip, u64 time, u64 off, struct loc_span *valid)
{
	struct loc loc = { .dso = WORLD_NONE, .dso_addr = ip, .cpumode = cpumode };
	const struct dso *d;

	*valid = (struct loc_span){ 0, UINT64_MAX, 0, UINT64_MAX };
	space = space_of_mode(space, cpumode);
	if (space >= w->spaces.nr)
		return loc;
	loc.map = space_find(w, space, ip, time, off, valid);
	if (!loc.map)
		return loc;
	loc.dso = loc.map->dso;
	d = dsos_at(&w->dsos, loc.dso);
	if (!dso_kind_is_absolute(d->kind))
		loc.dso_addr = ip - loc.map->start + loc.map->pgoff;
	return loc;
}

struct loc world_locate(const struct world *w, u32 space, u8 cpumode, u64 ip, u64 time, u64 off)
{
	struct loc_span valid;

	return locate(w, space, cpumode, ip, time, off, &valid);
}

struct loc world_locate_span(const struct world *w, u32 space, u8 cpumode, u64 ip, u64 time, u64 off, struct loc_span *ret)
{
	return locate(w, space, cpumode, ip, time, off, ret);
}

struct loc world_locate_data(const struct world *w, u32 space, u8 cpumode, u64 addr, u64 time, u64 off)
{
	return world_locate(w, space, cpumode, addr, time, off);
}

void locator_init(struct locator *l, const struct world *w)
{
	l->world = w;
	l->slot = xcalloc(LOCATOR_SLOTS, sizeof(*l->slot));
	/* space numbers are small: no question matches an unused slot */
	for (u32 i = 0; i < LOCATOR_SLOTS; i++)
		l->slot[i].key = UINT64_MAX;
	l->tid = -1;
	l->thread_from = l->thread_to = 0;
}

void locator_release(struct locator *l)
{
	free(l->slot);
	l->slot = NULL;
}

const struct loc *locator_fill(struct locator *l, struct locator_slot *slot, u32 space, u8 cpumode, u64 ip, u64 time, u64 off)
{
	struct loc_span valid;

	slot->loc = locate(l->world, space, cpumode, ip, time, off, &valid);
	slot->ip = ip;
	slot->key = locator_key(space, cpumode);
	slot->from = valid.from;
	slot->to = valid.to;
	return &slot->loc;
}

const struct thread *locator_thread_fill(struct locator *l, s32 pid, s32 tid, u64 time, u64 off)
{
	const struct thread *t = world_thread(l->world, pid, tid, time, off);

	l->tid = tid;
	l->thread = t;
	l->thread_from = t ? t->birth_time : 0;
	l->thread_to = t ? t->death_time : 0;
	return t;
}

const char *world_comm(const struct world *w, s32 pid, s32 tid, u64 time, u64 off)
{
	static _Thread_local char unknown[16];
	const struct thread *t = world_thread(w, pid, tid, time, off);

	if (t)
		return world_comm_name(w, world_comm_id(w, t, time, off));
	snprintf(unknown, sizeof(unknown), ":%d", tid);
	return unknown;
}

const struct dsos *world_dsos(const struct world *w)
{
	return &w->dsos;
}

u64 world_cgroup_ns(const struct world *w, u32 space)
{
	return space < w->spaces.nr ? w->spaces.v[space].cgroup_ns : 0;
}

const char *world_cgroup(const struct world *w, u64 id)
{
	u32 i;

	HIDX_FOREACH(&w->cgroup_idx, hash_u64(id), i)
		if (w->cgroups.v[i].id == id)
			return w->cgroups.v[i].path;
	return NULL;
}
