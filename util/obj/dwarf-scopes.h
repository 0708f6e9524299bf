/*
 * Scopes: the inlined calls of a function that contain an address. For single addresses the function's tree
 * is walked. After several addresses of the same function in a row the tree is kept as a list, so that a
 * large function with many inlined calls is not walked for each of its instructions.
 */
#ifndef PERF_OBJ_DWARF_SCOPES_H
#define PERF_OBJ_DWARF_SCOPES_H

#include <elfutils/libdw.h>
#include "../base/vec.h"
#include "svma-range.h"

#define SCOPES_DEPTH 64	/* of nested blocks and inlined calls: deeper nesting is damage */

struct inline_scope {
	Dwarf_Die die;
	u32 first, nr;		/* its ranges */
	u32 next;		/* index of the next scope that is not inside of it */
	bool inlined;		/* a call, not a block */
	bool anywhere;		/* it has no ranges, and may contain any address */
};

/* state for one function; zeroed: for none */
struct dwarf_scopes {
	const void *function;
	u32 asked;		/* addresses of the function that were asked for in a row */
	struct { VEC(struct inline_scope); } scope;
	struct { VEC(struct svma_range); } range;
};

struct inlined {
	Dwarf_Die die[SCOPES_DEPTH];	/* outermost first */
	u32 nr;
};

/*
 * Finds the inlined calls around an address. old: the unit is of DWARF 2, in which code with several ranges
 * has no ranges at all. same: NULL, or a range around the address, which is narrowed to addresses with the
 * same answer
 */
void dwarf_scopes_find(struct dwarf_scopes *s, Dwarf_Die *function, bool old, u64 addr, struct inlined *ret,
		       struct svma_range *same);
void dwarf_scopes_release(struct dwarf_scopes *s);

#endif
