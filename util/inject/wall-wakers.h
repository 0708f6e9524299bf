/*
 * Wall-wakers: stacks of wakers below the stacks of waits. A waker of another process has other addresses:
 * the process that waited gets a map of each program or library that is in such a stack, where no process has
 * any, so that the frames keep their names.
 */
#ifndef PERF_INJECT_WALL_WAKERS_H
#define PERF_INJECT_WALL_WAKERS_H

#include "../base/sequences.h"
#include "../resolve/resolver.h"
#include "../wall/wall.h"

struct inject;
struct wall_waker_note;
struct wall_waker_map;
/* a zeroed one is empty */
struct wall_wakers {
	struct { VEC(struct wall_waker_note); } note;	/* by tid: the newest wake-up */
	struct hidx notes;
	struct { VEC(struct wall_waker_map); } map;
	struct hidx maps;
	u64 next;			/* address of the next map; 0: of the first one */
	struct { VEC(u64); } chain;
};

/* the stack of the thread that woke tid at that time */
void wall_wakers_note(struct wall_wakers *w, s32 tid, u64 woken, u32 stack);
/* WALL_NO_STACK: it is not known */
u32 wall_wakers_find(const struct wall_wakers *w, s32 tid, u64 woken);
/*
 * The chain of the waker of a slice, then that of the wait, until the next call; *ret_nr: its length. Appends
 * records of maps that its frames need to out
 */
const u64 *wall_wakers_join(struct wall_wakers *w, struct inject *in, struct resolver *r,
			    const struct sequences *stacks, const struct wall_slice *s, struct strbuf *out,
			    u32 *ret_nr);
void wall_wakers_release(struct wall_wakers *w);

#endif
