/*
 * Resolver: from a sample to the locations of its addresses, and to its whole call chain. One per worker,
 * which owns it; the session that it uses is shared and const.
 *
 *	resolver_init(&r, session, &scratch);
 *	ctx = locator_sample_ctx(&r.locator, session, &sample, &rec);		who and when
 *	loc = locator_find(&r.locator, &ctx, sample.cpumode, sample.ip);	the sampled address: dso and
 *										address in it
 *	chain = sample_chain_of(&r, &sample, &ctx, max_stack);
 *	while (sample_chain_next(&chain, &run))					the frames, innermost first
 *		...
 *
 * Code that needs names of many samples looks addresses up in batches (lookup.h), gets ids of frames
 * (frames.h), and names the frames afterwards (names.h). Code that needs them one by one looks up loc in the
 * symbols of the session.
 */
#ifndef PERF_RESOLVE_RESOLVER_H
#define PERF_RESOLVE_RESOLVER_H

#include "../event/callchain.h"
#include "../session/session.h"
#include "../unwind/unwind.h"
#include "lbr.h"

#define RESOLVE_MAX_STACK 127	/* if neither the user nor kernel.perf_event_max_stack sets a limit */
#define RESOLVE_MAX_UNWOUND 4096u	/* frames of one sample */

struct deferred;

struct resolver {
	const struct session *session;
	struct locator locator;
	/* user parts of chains that were recorded later; NULL: their cookies stay */
	const struct deferred *deferred;
	struct unwind *unwind;	/* NULL until a sample needs it */
	u64 *unwound;		/* frames of the last sample that was unwound */
	bool lbr_whole;		/* the calls of the last LBR chain are complete */
	struct arena *scratch;	/* for chains that differ from the sample's */
};

/* scratch: for chains that are put together; they are valid until its owner resets it */
void resolver_init(struct resolver *r, const struct session *s, struct arena *scratch);
void resolver_release(struct resolver *r);

/*
 * The whole chain of a sample (which is not changed): the recorded chain, with the user part from the LBR or
 * from a later record (deferred.h), with the caller that a leaf function hides, followed by the frames that
 * are unwound from registers and stack. If the kernel recorded a chain of frame pointers beside the stack
 * (record --call-graph dwarf,SIZE,fp), that chain continues a stack that was cut, see chain_splice().
 */
struct sample_chain {
	/* of all frames but the unwound ones; damaged and cookie are valid at the end */
	struct chain_walk walk;
	struct resolver *resolver;
	const struct sample *sample;
	const struct sample_ctx *ctx;
	bool unwinds;		/* unwound frames will follow */
	u8 unwind_end;		/* enum stack_why: where unwinding ended; 0: it has not been tried */
	/* the kernel's chain of frame pointers of a sample that is unwound; NULL: none was recorded */
	const u64 *user;
	u64 nr_user;
};

/* slow part of sample_chain_of(): the walk over a chain that is put together in scratch */
struct chain_walk resolver_join_chain(struct resolver *r, const struct sample *s,
				      const struct sample_ctx *ctx, u64 max);
/* ends the walk before the user part, if there is one: unwound frames replace it */
void sample_chain_replace_user(struct sample_chain *c);
/*
 * Appends to nr unwound frames (at most max) those that a chain of frame pointers has after the outermost of
 * them; returns the new number. It continues there if that frame's return address occurs once in both, or if
 * the two agree from the sampled address on: a function that was called again and again proves nothing else.
 */
u64 chain_splice(u64 *unwound, u64 nr, u64 max, const u64 *user, u64 nr_user);
/* slow part of sample_chain_next() */
bool sample_chain_unwind(struct sample_chain *c, struct chain_run *ret);

/*
 * at most max frames, the innermost ones. Sample and ctx must live as long as the chain. A copy of the result
 * walks the chain again
 */
static inline struct sample_chain sample_chain_of(struct resolver *r, const struct sample *s,
						  const struct sample_ctx *ctx, u64 max)
{
	struct sample_chain c = { .resolver = r, .sample = s, .ctx = ctx, .unwinds = unwind_possible(s) };

	if (unlikely(callchain_is_deferred(s) || lbr_possible(s) || unwind_leaf_possible(s)))
		c.walk = resolver_join_chain(r, s, ctx, max);
	else
		c.walk = chain_walk_of(s, max);
	if (unlikely(c.unwinds && s->nr_callchain))
		sample_chain_replace_user(&c);
	return c;
}

/*
 * the next frames of one side; false at the end. A run of unwound frames is valid until the next sample is
 * unwound
 */
static inline bool sample_chain_next(struct sample_chain *c, struct chain_run *ret)
{
	return chain_next_run(&c->walk, ret) || (unlikely(c->unwinds) && sample_chain_unwind(c, ret));
}

/*
 * Why the user part of the chain ends, at the end of the walk; costs a few instructions. A chain of frame
 * pointers that is called complete must still end in code: stack_end_find() and who knows its frames check
 * that.
 */
enum stack_why sample_chain_why(const struct sample_chain *c);
/* the same as a stack_end_key(), for a chain that is still to be walked; it is unchanged */
u64 stack_end_find(const struct sample_chain *c);
/* a chain that is called complete, but whose last address is in no code, ended before it */
static inline enum stack_why stack_why_checked(enum stack_why why, bool mapped)
{
	return (why == STACK_COMPLETE || why == STACK_DEPTH) && !mapped ? STACK_NO_FP : why;
}

/*
 * the side of an address in a chain: for CPUMODE_UNKNOWN, which is before the first marker, the side on which
 * something is mapped, user space first
 */
static inline u8 chain_side(struct locator *l, const struct sample_ctx *ctx, u8 cpumode, u64 ip)
{
	if (likely(cpumode != CPUMODE_UNKNOWN))
		return cpumode;
	return locator_find(l, ctx, CPUMODE_USER, ip).dso == ID_NONE ? CPUMODE_KERNEL : CPUMODE_USER;
}

struct frame_loc {
	u64 ip;
	struct loc loc;		/* loc.cpumode: the side on which it was found, or which its marker gives */
	bool caller;		/* ip is a return address */
};
/* where its symbol and its lines are, in the dso, whose symbols are loaded */
static inline u64 frame_loc_code(const struct symbols *s, const struct frame_loc *f)
{
	return f->caller ? symbols_call_addr(s, f->loc.dso, f->loc.dso_addr) : f->loc.dso_addr;
}

/*
 * The same for code that needs all frames at once: fills at most max, innermost first; 0 if there is no
 * chain.
 */
size_t chain_resolve(struct resolver *r, const struct sample *sample, const struct sample_ctx *ctx,
		     struct frame_loc *out, size_t max);

#endif
