/*
 * Call chains: the one way to walk what a sample recorded. A chain is a list of addresses, innermost first,
 * with context markers between them that say whether the addresses after them are in the kernel, in user
 * space or elsewhere (their side). A walk returns runs of addresses of one side, without the markers. Where
 * upstream shows the chain, the conventions are the same:
 *
 * - Addresses before the first marker are of no known side (CPUMODE_UNKNOWN).
 * - Addresses of callers are return addresses, and are shown as they are.
 * - --max-stack counts frames, not markers.
 *
 * Unlike upstream, callers are looked up in their calls, one byte below the return address: the instruction
 * to which a call returns often belongs to another line, to another inlined function, or, after a call that
 * does not return, to another function.
 *
 * The kernel follows frame pointers in user space without checking what it finds. A program that uses that
 * register for something else gives chains that end in garbage. So the first value that cannot be an address
 * ends the chain, and the frames before it are kept; in user space this is ordinary, elsewhere the chain is
 * damaged. In user space small numbers are not addresses either: no code is in the first page.
 */
#ifndef PERF_EVENT_CALLCHAIN_H
#define PERF_EVENT_CALLCHAIN_H

#include "sample.h"

/* addresses of one side, at least one */
struct chain_run {
	const u64 *ip;
	u64 nr;
	u64 nr_exact;		/* the first ones are instructions; those after them are return addresses */
	u8 cpumode;
};

struct chain_walk {
	const u64 *at, *end;
	u64 room;		/* the number of frames that may still be returned */
	/* addresses of this side are between the two, except for CHAIN_VSYSCALL */
	u64 first, limit;
	u8 cpumode;
	bool has_calls;		/* user addresses are of calls, not of returns */
	/* the chain ended in a value that is neither an address nor a marker, and not in user space */
	bool damaged;
	/*
	 * the chain ended in a cookie: its user part was recorded later, and callchain_join() did not get it
	 */
	const u64 *cookie;
};

/* except for this page of user addresses, in which x86 had its first system calls without a trap */
#define CHAIN_VSYSCALL		((u64)-10 << 20)
#define CHAIN_VSYSCALL_SIZE	4096u

static inline bool chain_is_address(const struct chain_walk *w, u64 value)
{
	return likely(value - w->first < w->limit - w->first) || value - CHAIN_VSYSCALL < CHAIN_VSYSCALL_SIZE;
}

/* takes the marker at w->at: true: the following addresses are of another side; false: the chain ends here */
bool chain_take_marker(struct chain_walk *w);

/* at most max frames of the sample's chain, the innermost ones first */
static inline struct chain_walk chain_walk_of(const struct sample *s, u64 max)
{
	return (struct chain_walk){ .at = s->callchain, .end = s->callchain + s->nr_callchain, .room = max,
				    .limit = CHAIN_CONTEXT_MAX };
}

/* false at the end; damaged and cookie are valid then */
static inline bool chain_next_run(struct chain_walk *w, struct chain_run *ret)
{
	const u64 *start, *ip, *end;

	do {
		start = ip = w->at;
		end = (u64)(w->end - start) < w->room ? w->end : start + w->room;
		while (ip < end && chain_is_address(w, *ip))
			ip++;
		if (ip > start) {
			*ret = (struct chain_run){ start, ip - start, 1, w->cpumode };
			if (unlikely(w->has_calls) && w->cpumode == CPUMODE_USER)
				ret->nr_exact = ret->nr;
			w->at = ip;
			w->room -= ret->nr;
			return true;
		}
	} while (start < end && chain_take_marker(w));
	return false;
}

static inline bool chain_run_is_caller(const struct chain_run *run, u64 i)
{
	return i >= run->nr_exact;
}

/* "PERF_CONTEXT_USER"; NULL if a value is not a context marker */
const char *chain_marker_name(u64 value);
/* index of the marker of the user side; s->nr_callchain if there is none */
u64 callchain_user_marker(const struct sample *s);

/* whether the user part of the chain was recorded later; its cookie is s->deferred_cookie then */
static inline bool callchain_is_deferred(const struct sample *s)
{
	return s->nr_callchain >= 2 && s->callchain[s->nr_callchain - 2] == CHAIN_USER_DEFERRED;
}

/* replaces marker and cookie by the user part with its markers. The chain is then in scratch */
void callchain_join(struct sample *s, const u64 *user, u64 nr, struct arena *scratch);

#endif
