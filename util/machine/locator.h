/*
 * Locator: a worker's cache of machine_locate() and machine_sample_ctx(), the only one of locations.
 * Each worker owns one; the machine is shared and const. What is kept of a task is its thread, for
 * the span of its life. What is kept of an address is a region: the addresses of an address space that lie in
 * one map (or in none), and the span of time in which that holds. So a hit costs a few nanoseconds whatever
 * the processes did to their maps before and after, and addresses that were never seen hit where their map
 * was.
 */
#ifndef PERF_MACHINE_LOCATOR_H
#define PERF_MACHINE_LOCATOR_H

#include "machine.h"

#define LOCATOR_REGIONS 1024u
#define LOCATOR_THREADS 64u	/* samples of several CPUs alternate */
/* addresses this close share a slot: the largest programs then take part of the slots */
#define LOCATOR_REGION_BITS 17

/* a line of the processor's cache */
struct locator_region {
	u64 key;		/* see locator_key() */
	u64 lo, hi;
	/* holds at times inside, both exclusive: at the very edges file offsets decide */
	u64 from, to;
	u64 delta;		/* dso address - ip */
	const struct map *map;
	u32 dso;
};

/* who had a tid */
struct locator_thread {
	s32 tid;
	u64 from, to;		/* holds at times inside, both exclusive; 0, 0: free */
	const struct thread *thread;
};

struct locator {
	const struct machine *machine;
	struct locator_region *region;
	struct locator_thread thread[LOCATOR_THREADS];
};

void locator_init(struct locator *l, const struct machine *w);
/* the machine has grown: forgets all its answers */
void locator_reset(struct locator *l);
void locator_release(struct locator *l);

/* the slow halves, for the inline functions below */
void locator_fill(struct locator *l, struct locator_region *r, const struct sample_ctx *ctx, u8 cpumode,
		  u64 ip);
void locator_ctx_fill(struct locator *l, s32 pid, s32 tid, struct when when, struct sample_ctx *ret);

/* one kernel for all: its regions are shared. Never 0, so that zeros are free */
static inline u64 locator_key(const struct sample_ctx *ctx, u8 cpumode)
{
	return ((u64)(cpumode == CPUMODE_KERNEL ? 0 : ctx->maps) << 8 | cpumode) + 1;
}

/* the region that the address is in; good until the next call */
static inline const struct locator_region *locator_region(struct locator *l, const struct sample_ctx *ctx,
							  u8 cpumode, u64 ip)
{
	u64 key = locator_key(ctx, cpumode);
	u64 slot = ip >> LOCATOR_REGION_BITS ^ key * 0x9e3779b97f4a7c15ull >> 40;
	struct locator_region *r = &l->region[slot & (LOCATOR_REGIONS - 1)];

	if (unlikely(r->key != key || ip < r->lo || ip >= r->hi || ctx->when.time <= r->from ||
		     ctx->when.time >= r->to))
		locator_fill(l, r, ctx, cpumode, ip);
	return r;
}

/* as machine_locate() */
static inline struct loc locator_find(struct locator *l, const struct sample_ctx *ctx, u8 cpumode, u64 ip)
{
	const struct locator_region *r = locator_region(l, ctx, cpumode, ip);

	return (struct loc){ .dso = r->dso, .dso_addr = ip + r->delta, .map = r->map, .cpumode = cpumode };
}

/* as machine_sample_ctx(); member by member, since copies of what was just put together wait for it */
static inline void locator_ctx(struct locator *l, s32 pid, s32 tid, struct when when, struct sample_ctx *ret)
{
	const struct locator_thread *t = &l->thread[(u32)tid % LOCATOR_THREADS];

	if (unlikely(t->tid != tid || when.time <= t->from || when.time >= t->to))
		return locator_ctx_fill(l, pid, tid, when, ret);
	ret->when = when;
	ret->pid = pid;
	ret->tid = tid;
	ret->maps = t->thread->maps;
	ret->thread = t->thread;
}

#endif
