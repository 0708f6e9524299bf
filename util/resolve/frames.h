/*
 * Frames: distinct (dso, address) pairs, interned as u32 ids while samples are looked up; one table a worker. Symbols are looked up once
 * per frame, never once per sample: see names.h.
 */
#ifndef PERF_RESOLVE_FRAMES_H
#define PERF_RESOLVE_FRAMES_H

#include "../base/blocks.h"
#include "../base/hash.h"

struct frame {
	u32 dso;		/* ID_NONE: nothing is mapped there */
	u8 cpumode;
	u64 addr;		/* loc.dso_addr; the ip where nothing is mapped */
	u64 ip;			/* an ip it was seen at (the smallest), for frames without a symbol */
};

/* distinct ones, while they are looked for */
struct frames {
	struct { BLOCKS(struct frame); } frame;
	struct hidx idx;
};

/* id of the frame, added where it is new */
u32 frames_add(struct frames *f, u32 dso, u8 cpumode, u64 addr, u64 ip);
/* nr frames will be added to an empty table */
void frames_reserve(struct frames *f, u32 nr);
/* two steps before a frames_add(), both with the hash of the frame: its slot, then itself will be found in the cache */
u64 frame_hash(u32 dso, u64 addr);
void frames_prefetch_slot(const struct frames *f, u64 hash);
void frames_prefetch(const struct frames *f, u64 hash);
/* deals frames out to 1 << bits tasks */
u32 frame_part(u32 dso, u64 addr, u32 bits);
/* moves all frames to ret[] and leaves an empty table */
void frames_move(struct frames *f, struct frame *ret);
void frames_release(struct frames *f);

/* 'k' kernel, '.' user, 'g' guest kernel, 'u' guest user, 'H' hypervisor */
char frame_level(const struct frame *f);

#endif
