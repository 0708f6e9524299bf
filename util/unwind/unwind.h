/*
 * Unwind: call chains from recorded user registers and a copy of the top of the stack (record --call-graph dwarf), with the
 * call frame information of the mapped files. One unwinder a worker: it caches files and rules; world and symbols are shared.
 */
#ifndef PERF_UNWIND_UNWIND_H
#define PERF_UNWIND_UNWIND_H

#include "../event/sample.h"
#include "../sym/sym.h"
#include "../world/world.h"

struct unwind;

/* e_machine of the recorded machine (64-bit form) */
struct unwind *unwind_new(const struct world *w, const struct symbols *s, u16 e_machine);
void unwind_free(struct unwind *u);

/* whether a sample has what it takes: user registers and a stack */
bool unwind_possible(const struct sample *s);
/*
 * Addresses of the user frames, innermost first, into ips (at most max): the sampled instruction, then for each caller the
 * return address minus one where it is one, so that it lies in the calling line. space, time and off place the sample in the
 * world. Returns how many; 0 where nothing can be said.
 */
int unwind_dwarf(struct unwind *u, const struct sample *s, u32 space, u64 time, u64 off, u64 *ips, int max);

/* whether a sample has what unwind_leaf() looks at: a chain and user registers, but no stack */
static inline bool unwind_leaf_possible(const struct sample *s)
{
	return s->user_abi && s->user_regs && !s->user_stack && s->nr_callchain;
}
/*
 * The kernel's chain goes by frame records, of which a function that calls no other needs none: on machines with a link register
 * its caller is missing there. record samples that register (see arch.chain_regs); where the rules of the sampled address say that
 * it still holds the return address, s gets a chain with the caller (the return address minus one), made in scratch.
 */
void unwind_leaf(struct unwind *u, struct sample *s, u32 space, u64 time, u64 off, struct arena *scratch);

#endif
