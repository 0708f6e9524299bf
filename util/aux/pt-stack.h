/*
 * The call stack of a walk of an Intel PT trace: return addresses, innermost last. Where a piece begins,
 * what was called before it is not known, so the first pass keeps returns that match no call of the piece
 * as entries, too; they are carried out when stacks of pieces are put together.
 */
#ifndef PERF_AUX_PT_STACK_H
#define PERF_AUX_PT_STACK_H

#include "../base/types.h"

enum { PT_FRAMES_MAX = 1024 };	/* of more, the outermost ones are forgotten */

struct pt_stack {
	u32 nr;
	bool cleared;		/* what was before the piece is of another thread */
	struct pt_frame {
		u64 ip;
		bool returns;	/* an unmatched return to this address */
	} frame[PT_FRAMES_MAX];
};

void pt_stack_clear(struct pt_stack *s);
void pt_stack_call(struct pt_stack *s, u64 return_ip);
/* keep: an unmatched one becomes an entry */
void pt_stack_return(struct pt_stack *s, u64 ip, bool keep);
/* what happened in the next piece happens to s */
void pt_stack_add(struct pt_stack *s, const struct pt_stack *next);
/* fills chain, which has room for max entries, with markers of kernel and user; returns their number */
u32 pt_stack_chain(const struct pt_stack *s, u64 ip, u64 *chain, u32 max);

#endif
