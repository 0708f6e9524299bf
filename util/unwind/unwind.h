/*
 * Unwind: call chains from recorded user registers and a copy of the top of the stack (record --call-graph
 * dwarf), with the call frame information of the mapped files. One unwinder per worker: it caches files and
 * rules; machine and symbols are shared.
 */
#ifndef PERF_UNWIND_UNWIND_H
#define PERF_UNWIND_UNWIND_H

#include "../event/sample.h"
#include "../sym/sym.h"
#include "stack-end.h"
#include "../machine/locator.h"

struct unwind;
struct unwinder;

/*
 * l: the same worker's; e_machine: of the recorded machine; swap: its byte order differs from this machine's;
 * style: the loaded unwinder of dumped stacks (unwinder.h); NULL: our own
 */
struct unwind *unwind_new(struct locator *l, const struct symbols *s, u16 e_machine, bool swap,
			  const struct unwinder *style);
void unwind_free(struct unwind *u);

/* true if a sample has user registers and a stack */
bool unwind_possible(const struct sample *s);
/*
 * Writes the addresses of the user frames, innermost first, to ips (at most max): the sampled instruction,
 * then for each caller the return address, minus one if it follows a call, so that it is in the calling line.
 * Returns their number; 0 if nothing is known.
 */
int unwind_dwarf(struct unwind *u, const struct sample *s, const struct sample_ctx *ctx, u64 *ips, int max);
/* why the chain of the last unwind_dwarf() ended; STACK_NONE if nothing was known */
enum stack_why unwind_end(const struct unwind *u);
/*
 * bytes from the stack pointer to the end of the stack's map, for the deepest stack that the dump has cut; 0:
 * no stack was cut, or maps of data were not recorded. u may be NULL
 */
u64 unwind_whole_stack(const struct unwind *u);

/*
 * In code without rules (its file is missing, or has none) the frame pointer is followed, if it leads to
 * code. Numbers of callers that were guessed this way, by the dso of the code without rules.
 */
struct unwind_guesses {
	VEC(u64);
};
/* moves the counts of an unwinder (may be NULL) to into (NULL: discards them) */
void unwind_take_guesses(struct unwind *u, struct unwind_guesses *into);
void unwind_add_guesses(struct unwind_guesses *into, const struct unwind_guesses *from);
/* reports them with -v */
void unwind_log_guesses(const struct unwind_guesses *g, const struct dsos *dsos);

/* true if a sample has what unwind_leaf() needs: a chain and user registers, but no stack */
static inline bool unwind_leaf_possible(const struct sample *s)
{
	return s->user_abi && s->user_regs && !s->user_stack && s->nr_callchain;
}
/*
 * The kernel's chain follows frame records, which a function that calls no other does not need: on machines
 * with a link register its caller is missing. record samples that register (see arch.chain_regs); if the
 * rules of the sampled address say that it still contains the return address, s gets a chain with the caller
 * (the return address minus one), made in scratch.
 */
void unwind_leaf(struct unwind *u, struct sample *s, const struct sample_ctx *ctx, struct arena *scratch);

#endif
