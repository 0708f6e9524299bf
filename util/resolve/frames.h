/*
 * Frames: distinct places in files, (dso, address, whether it is a return address), interned as u32 ids while
 * samples are looked up; one table per worker. Symbols are looked up once per frame, never once per sample:
 * see names.h.
 */
#ifndef PERF_RESOLVE_FRAMES_H
#define PERF_RESOLVE_FRAMES_H

#include "../base/blocks.h"
#include "../base/hash.h"

struct frame {
	u32 dso;		/* ID_NONE: nothing is mapped there */
	u8 cpumode;
	bool caller;		/* addr is a return address: see frame_code() */
	u64 addr;		/* loc.dso_addr; the ip if nothing is mapped */
	u64 ip;			/* the smallest ip at which it was seen, for frames without a symbol */
};

/* distinct frames, while they are collected */
struct frames {
	struct { BLOCKS(struct frame); } frame;
	struct hidx idx;
};

/* id of the frame, which is added if it is new */
u32 frames_add(struct frames *f, const struct frame *frame);
/* reserves room for nr frames in an empty table */
void frames_reserve(struct frames *f, u32 nr);
/*
 * prefetch for a later frames_add(), in two steps, both with the hash of the frame: first its slot, then the
 * frame itself
 */
u64 frame_hash(u32 dso, u64 addr);
void frames_prefetch_slot(const struct frames *f, u64 hash);
void frames_prefetch(const struct frames *f, u64 hash);
/* distributes frames to 1 << bits tasks */
u32 frame_part(u32 dso, u64 addr, u32 bits);
/* moves all frames to ret[] and leaves an empty table */
void frames_move(struct frames *f, struct frame *ret);
void frames_release(struct frames *f);
/* sorts by dso, then address, and removes repeated ones; returns the number of those that are left */
size_t frames_sort(struct frame *f, size_t nr);

/* 'k' kernel, '.' user, 'g' guest kernel, 'u' guest user, 'H' hypervisor */
char frame_level(const struct frame *f);

struct symbols;

/* the symbol of a frame, a position in its dso's table, or ID_NONE; of a caller, the symbol of the call */
u32 frame_sym_idx(const struct symbols *s, const struct frame *f);
/* the address, in the dso, at which to look for its lines and inlined functions */
u64 frame_code(const struct symbols *s, const struct frame *f);

#endif
