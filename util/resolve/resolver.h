/*
 * Resolver: from a sample to the places of its addresses, and to its whole call chain. One per worker, which owns it; the session
 * behind it is shared and const.
 *
 *	resolver_init(&r, session, &scratch);
 *	ctx = locator_sample_ctx(&r.locator, session, &sample, &rec);		who and when
 *	loc = locator_find(&r.locator, &ctx, sample.cpumode, sample.ip);	the sampled address: dso and address in it
 *	chain = sample_chain_of(&r, &sample, &ctx, max_stack);
 *	while (sample_chain_next(&chain, &run))					the frames, innermost first
 *		...
 *
 * Whoever wants names of many samples looks addresses up in batches (lookup.h), which gives ids of frames (frames.h), and names the
 * frames afterwards (names.h). Whoever wants them one by one asks the symbols of the session for loc.
 */
#ifndef PERF_RESOLVE_RESOLVER_H
#define PERF_RESOLVE_RESOLVER_H

#include "../event/callchain.h"
#include "../session/session.h"
#include "../unwind/unwind.h"
#include "lbr.h"

#define RESOLVE_MAX_STACK 127	/* where neither the user nor kernel.perf_event_max_stack says else */
#define RESOLVE_MAX_UNWOUND 4096u	/* frames of one sample */

struct deferred;

struct resolver {
	const struct session *session;
	struct locator locator;
	const struct deferred *deferred;	/* user parts of chains that were recorded later; NULL: those stay cookies */
	struct unwind *unwind;	/* NULL until a sample needs it */
	u64 *unwound;		/* frames of the last sample that was unwound */
	struct arena *scratch;	/* chains that are not as the sample has them */
};

/* scratch: for chains that are put together; they are good until its owner resets it */
void resolver_init(struct resolver *r, const struct session *s, struct arena *scratch);
void resolver_release(struct resolver *r);

/*
 * The whole chain of a sample, which is not changed: what was recorded, with the user part from the LBR or from a later record
 * (deferred.h), with the caller that a leaf function hides, and behind it what is unwound from registers and stack.
 */
struct sample_chain {
	struct chain_walk walk;	/* of all but the unwound frames; damaged and cookie are valid at the end */
	struct resolver *resolver;
	const struct sample *sample;
	const struct sample_ctx *ctx;
	bool unwinds;		/* unwound frames are still to come */
};

/* slow half of sample_chain_of(): the walk over a chain that is put together in scratch */
struct chain_walk resolver_join_chain(struct resolver *r, const struct sample *s, const struct sample_ctx *ctx, u64 max);
/* slow half of sample_chain_next() */
bool sample_chain_unwind(struct sample_chain *c, struct chain_run *ret);

/* at most max frames, the innermost ones. Sample and ctx must live as long. A copy of the result walks the chain once more */
static inline struct sample_chain sample_chain_of(struct resolver *r, const struct sample *s, const struct sample_ctx *ctx, u64 max)
{
	struct sample_chain c = { .resolver = r, .sample = s, .ctx = ctx, .unwinds = unwind_possible(s) };

	if (unlikely(callchain_is_deferred(s) || lbr_possible(s) || unwind_leaf_possible(s)))
		c.walk = resolver_join_chain(r, s, ctx, max);
	else
		c.walk = chain_walk_of(s, max);
	return c;
}

/* the next frames of one side; false at the end. A run of unwound frames is good until the next sample is unwound */
static inline bool sample_chain_next(struct sample_chain *c, struct chain_run *ret)
{
	return chain_next_run(&c->walk, ret) || (unlikely(c->unwinds) && sample_chain_unwind(c, ret));
}

/* the side of an address of a chain: CPUMODE_UNKNOWN, before the first marker, is where something is mapped, user space first */
u8 chain_side(struct locator *l, const struct sample_ctx *ctx, u8 cpumode, u64 ip);

struct frame_loc {
	u64 ip;
	struct loc loc;		/* loc.cpumode: the side it was found on or that its marker says */
};
/* The same for those who want all frames at once: fills at most max, innermost first; 0 where there is no chain. */
size_t chain_resolve(struct resolver *r, const struct sample *sample, const struct sample_ctx *ctx, struct frame_loc *out, size_t max);

#endif
