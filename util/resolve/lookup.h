/*
 * Look-up: addresses of samples to frames, many at a time. Most of the cost of a look-up is waiting for
 * memory, so a batch first prefetches all locations and then reads them.
 */
#ifndef PERF_RESOLVE_LOOKUP_H
#define PERF_RESOLVE_LOOKUP_H

#include "frames.h"
#include "../machine/locator.h"
#include "symbol-frames.h"

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
	const struct symbol_frames *symbols;	/* NULL: all addresses of a file are apart */
	u64 *unnamed;			/* with symbols: by dso, the address for all without a symbol */
	/* (dso, address) -> frame, whichever process mapped it wherever */
	struct lookup_slot *slot;
	u8 slot_shift;			/* of the hash values of slots */
	u8 shift;			/* of addresses, which then share a slot */
	struct { VEC(struct lookup_place); } ip;	/* the batch */
	struct { VEC(u32); } frame;	/* of the same length as ip */
	struct { VEC(struct lookup_miss); } miss;
};

void lookup_init(struct lookup *l, struct locator *locator, bool by_dso);
/* from now on; symbols must live until lookup_finish() */
void lookup_by_symbol(struct lookup *l, const struct symbol_frames *symbols, u32 nr_dsos);
/* adds an address to the batch */
void lookup_add(struct lookup *l, const struct lookup_ip *ip);
/* fills frame[] for the batch; user addresses where nothing is mapped are LOOKUP_UNMAPPED */
void lookup_run(struct lookup *l);
/*
 * the frame of an address of the batch: LOOKUP_UNMAPPED becomes one now, because most such addresses are
 * dropped before
 */
u32 lookup_frame(struct lookup *l, u32 pos);
/*
 * looks up one address at once; *from and *to are narrowed to the span of time in which the answer is valid
 */
u32 lookup_one(struct lookup *l, const struct lookup_ip *ip, u64 *from, u64 *to);
/* frees everything except the frames */
void lookup_finish(struct lookup *l);

#endif
