/*
 * Locator: a worker's cache in front of world_locate() and world_thread(). Each worker owns one; the world behind it is shared
 * and const. An answer is kept together with the span of time in which it holds, so a hit costs a few nanoseconds whatever the
 * processes did to their maps before and after.
 */
#ifndef PERF_WORLD_LOCATOR_H
#define PERF_WORLD_LOCATOR_H

#include "world.h"

#define LOCATOR_SLOTS 4096u	/* of 64 bytes */

struct locator_slot {
	u64 ip, key;
	u64 from, to;		/* holds at times inside, both exclusive */
	struct loc loc;
};

struct locator {
	const struct world *world;
	struct locator_slot *slot;
	const struct thread *thread;	/* the last answer */
	s32 tid;
	u64 thread_from, thread_to;
};

void locator_init(struct locator *l, const struct world *w);
void locator_release(struct locator *l);

/* the slow halves, for the inline functions below */
const struct loc *locator_fill(struct locator *l, struct locator_slot *slot, u32 space, u8 cpumode, u64 ip, u64 time, u64 off);
const struct thread *locator_thread_fill(struct locator *l, s32 pid, s32 tid, u64 time, u64 off);

static inline u64 locator_key(u32 space, u8 cpumode)
{
	return (u64)space << 8 | cpumode;
}

/* as world_locate(); the result is good until the next call */
static inline const struct loc *locator_find(struct locator *l, u32 space, u8 cpumode, u64 ip, u64 time, u64 off)
{
	u64 key, hash;
	struct locator_slot *s;

	if (cpumode == CPUMODE_KERNEL)
		space = 0;		/* one kernel for all: share the slots */
	key = locator_key(space, cpumode);
	hash = (ip ^ key * 0x9e3779b97f4a7c15ull) * 0xd6e8feb86659fd93ull;
	s = &l->slot[hash >> 52];
	if (likely(s->ip == ip && s->key == key && time > s->from && time < s->to))
		return &s->loc;
	return locator_fill(l, s, space, cpumode, ip, time, off);
}

/* as world_thread() */
static inline const struct thread *locator_thread(struct locator *l, s32 pid, s32 tid, u64 time, u64 off)
{
	if (likely(l->tid == tid && time > l->thread_from && time < l->thread_to))
		return l->thread;
	return locator_thread_fill(l, pid, tid, time, off);
}

#endif
