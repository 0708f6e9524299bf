/*
 * Look-up: addresses of samples to frames, many at a time. Most of what a look-up costs is waiting for memory, so a batch asks
 * for all the places first and reads them afterwards.
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
};
#define LOOKUP_ANY 0xff		/* on either side: what lies in front of a chain's first marker */

struct lookup {
	struct locator *locator;
	struct frames frames;
	bool by_dso;			/* frames are files: addresses do not matter */
	struct lookup_slot *slot;	/* (maps, mode, ip) -> frame, while the map it was found in was there */
	struct { VEC(struct lookup_ip); } ip;	/* the batch */
	struct { VEC(u32); } frame;	/* as many */
	struct { VEC(struct lookup_miss); } miss;
};

void lookup_init(struct lookup *l, struct locator *locator, bool by_dso);
/* adds an address to the batch */
void lookup_add(struct lookup *l, const struct lookup_ip *ip);
/* fills frame[] for the batch */
void lookup_run(struct lookup *l);
/* one address at once; *from and *to are narrowed to the span of time in which the answer holds */
u32 lookup_one(struct lookup *l, const struct lookup_ip *ip, u64 *from, u64 *to);
/* frees all but the frames */
void lookup_finish(struct lookup *l);

#endif
