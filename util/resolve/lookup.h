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

/* one address of the batch; ctx must live until lookup_run() */
struct lookup_ip {
	u64 ip;
	const struct sample_ctx *ctx;
	u8 mode;		/* enum cpumode, or LOOKUP_ANY */
	bool caller;		/* ip is a return address */
};
#define LOOKUP_ANY 0xff		/* kernel or user: for addresses before a chain's first marker */

struct lookup {
	struct locator *locator;
	struct frames frames;
	bool by_dso;			/* only files matter: all addresses of a file are one frame */
	/* (maps, mode, ip) -> frame, as long as the map in which it was found exists */
	struct lookup_slot *slot;
	struct { VEC(struct lookup_ip); } ip;	/* the batch */
	struct { VEC(u32); } frame;	/* of the same length as ip */
	struct { VEC(struct lookup_miss); } miss;
};

void lookup_init(struct lookup *l, struct locator *locator, bool by_dso);
/* adds an address to the batch */
void lookup_add(struct lookup *l, const struct lookup_ip *ip);
/* fills frame[] for the batch */
void lookup_run(struct lookup *l);
/*
 * looks up one address at once; *from and *to are narrowed to the span of time in which the answer is valid
 */
u32 lookup_one(struct lookup *l, const struct lookup_ip *ip, u64 *from, u64 *to);
/* frees everything except the frames */
void lookup_finish(struct lookup *l);

#endif
