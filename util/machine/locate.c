/* Locate: what lies at an address, in whose memory; and the other queries of a frozen machine. */
#include "locator.h"
#include "machine-private.h"

#include <string.h>

static u32 maps_of_mode(u32 maps, u8 cpumode)
{
	switch (cpumode) {
	case CPUMODE_KERNEL:
		return MAPS_KERNEL;
	case CPUMODE_GUEST_KERNEL:
		return MAPS_GUEST_KERNEL;
	case CPUMODE_USER:
		return maps;
	default:
		return ID_NONE;	/* hypervisor, guest user: nothing is known about their memory */
	}
}

struct loc machine_locate_span(const struct machine *w, const struct sample_ctx *ctx, u8 cpumode, u64 ip,
			       struct loc_span *ret)
{
	struct loc loc = { .dso = ID_NONE, .dso_addr = ip, .cpumode = cpumode };
	u32 maps = maps_of_mode(ctx->maps, cpumode);
	const struct dso *d;

	*ret = (struct loc_span){ 0, UINT64_MAX, 0, UINT64_MAX };
	if (maps >= w->maps.nr)
		return loc;
	loc.map = maps_find(w, maps, ip, ctx->when, ret);
	if (!loc.map)
		return loc;
	loc.dso = loc.map->dso;
	d = dsos_at(&w->dsos, loc.dso);
	if (!dso_kind_is_absolute(d->kind))
		loc.dso_addr = ip - loc.map->start + loc.map->pgoff;
	return loc;
}

struct loc machine_locate(const struct machine *w, const struct sample_ctx *ctx, u8 cpumode, u64 ip)
{
	struct loc_span valid;

	return machine_locate_span(w, ctx, cpumode, ip, &valid);
}

void locator_init(struct locator *l, const struct machine *w)
{
	l->machine = w;
	l->region = xcalloc_aligned(LOCATOR_REGIONS, sizeof(*l->region));
	locator_reset(l);
}

void locator_reset(struct locator *l)
{
	memset(l->region, 0, LOCATOR_REGIONS * sizeof(*l->region));
	memset(l->thread, 0, sizeof(l->thread));
}

void locator_release(struct locator *l)
{
	free(l->region);
	l->region = NULL;
}

void locator_fill(struct locator *l, struct locator_region *r, const struct sample_ctx *ctx, u8 cpumode,
		  u64 ip)
{
	struct loc_span span;
	struct loc loc = machine_locate_span(l->machine, ctx, cpumode, ip, &span);

	*r = (struct locator_region){ .key = locator_key(ctx, cpumode), .lo = span.lo, .hi = span.hi,
				      .from = span.from, .to = span.to, .delta = loc.dso_addr - ip,
				      .map = loc.map, .dso = loc.dso };
}

void locator_ctx_fill(struct locator *l, s32 pid, s32 tid, struct when when, struct sample_ctx *ret)
{
	struct locator_thread *t = &l->thread[(u32)tid % LOCATOR_THREADS];

	*ret = machine_sample_ctx(l->machine, pid, tid, when);
	*t = (struct locator_thread){ 0 };
	if (ret->thread)
		*t = (struct locator_thread){ .tid = tid, .from = ret->thread->birth.time,
					      .to = ret->thread->death.time, .thread = ret->thread };
}

const struct dsos *machine_dsos(const struct machine *w)
{
	return &w->dsos;
}

u64 machine_cgroup_ns(const struct machine *w, u32 maps)
{
	return maps < w->maps.nr ? w->maps.v[maps].cgroup_ns : 0;
}

const char *machine_cgroup(const struct machine *w, u64 id)
{
	u32 i;

	HIDX_FOREACH(&w->cgroup_idx, hash_u64(id), i)
		if (w->cgroups.v[i].id == id)
			return w->cgroups.v[i].path;
	return NULL;
}
