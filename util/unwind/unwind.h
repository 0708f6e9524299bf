/*
 * Unwind: call chains from recorded user registers and a copy of the top of the stack (record --call-graph dwarf), with the
 * call frame information of the mapped files. One unwinder a worker: it caches files and rules; machine and symbols are shared.
 */
#ifndef PERF_UNWIND_UNWIND_H
#define PERF_UNWIND_UNWIND_H

#include "../event/sample.h"
#include "../sym/sym.h"
#include "../machine/locator.h"

struct unwind;

/* l: of the same worker; e_machine: of the recorded machine; swap: it records in the other byte order than this one */
struct unwind *unwind_new(struct locator *l, const struct symbols *s, u16 e_machine, bool swap);
void unwind_free(struct unwind *u);

/* whether a sample has what it takes: user registers and a stack */
bool unwind_possible(const struct sample *s);
/*
 * Addresses of the user frames, innermost first, into ips (at most max): the sampled instruction, then for each caller the
 * return address minus one where it is one, so that it lies in the calling line. Returns how many; 0 where nothing can be said.
 */
int unwind_dwarf(struct unwind *u, const struct sample *s, const struct sample_ctx *ctx, u64 *ips, int max);

/*
 * Code without rules (its file is not here, or has none) is left by the frame pointer, if that leads to code. How many callers were
 * guessed so, by the dso of the code that was left.
 */
struct unwind_guesses {
	VEC(u64);
};
/* adds those of an unwinder (may be NULL) to into (NULL: nowhere), and sets them to 0 there */
void unwind_take_guesses(struct unwind *u, struct unwind_guesses *into);
void unwind_add_guesses(struct unwind_guesses *into, const struct unwind_guesses *from);
/* says them with -v */
void unwind_log_guesses(const struct unwind_guesses *g, const struct dsos *dsos);

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
void unwind_leaf(struct unwind *u, struct sample *s, const struct sample_ctx *ctx, struct arena *scratch);

#endif
