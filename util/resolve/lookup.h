/*
 * Look-up: addresses of samples to frames, many at a time. Most of the cost of a look-up is waiting for
 * memory, so a batch first prefetches all locations and then reads them.
 */
#ifndef PERF_RESOLVE_LOOKUP_H
#define PERF_RESOLVE_LOOKUP_H

#include "frames.h"
#include "../machine/locator.h"

struct lookup_slot;
struct lookup_miss;

/* an address to look up */
struct lookup_ip {
	u64 ip;
	const struct sample_ctx *ctx;
	u8 mode;		/* enum cpumode, or LOOKUP_ANY */
	bool caller;		/* ip is a return address */
};
#define LOOKUP_ANY 0xff		/* kernel or user: for addresses before a chain's first marker */

#define LOOKUP_FRAME_BITS 28
#define LOOKUP_UNMAPPED ((1u << LOOKUP_FRAME_BITS) - 1)

/* an address of the batch: which file it is in, and where; ID_NONE: in none */
struct lookup_place {
	u64 ip, addr;
	u32 dso;
	u8 mode;		/* enum cpumode */
	bool caller;		/* addr is a return address */
};

struct lookup {
	struct locator *locator;
	struct frames frames;
	bool by_dso;			/* only files matter: all addresses of a file are one frame */
	/* (dso, address) -> frame, whichever process mapped it wherever */
	struct lookup_slot *slot;
	struct { VEC(struct lookup_place); } ip;	/* the batch */
	struct { VEC(u32); } frame;	/* of the same length as ip */
	struct { VEC(struct lookup_miss); } miss;
};

void lookup_init(struct lookup *l, struct locator *locator, bool by_dso);
/* adds an address to the batch */
void lookup_add(struct lookup *l, const struct lookup_ip *ip);
/* fills frame[] for the batch; user addresses where nothing is mapped are LOOKUP_UNMAPPED */
void lookup_run(struct lookup *l);
/* the frame of an address of the batch, which becomes one if it is LOOKUP_UNMAPPED: most are dropped before */
u32 lookup_frame(struct lookup *l, u32 pos);
/*
 * looks up one address at once; *from and *to are narrowed to the span of time in which the answer is valid
 */
u32 lookup_one(struct lookup *l, const struct lookup_ip *ip, u64 *from, u64 *to);
/* frees everything except the frames */
void lookup_finish(struct lookup *l);

#endif
