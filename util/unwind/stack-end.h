/*
 * Stack end: why the user part of a call chain ends where it does, per sample and added up. Rows are in
 * stack-end.def:
 *
 * COMPLETE	the first function of the thread: its rules, or a return address of 0, say that it has no
 *		caller. A chain of frame pointers is taken for complete if it has a caller and all of its
 *		addresses are code; the kernel does not record more
 * MIXED	the same, but some callers were found by frame pointers: callers of code without unwind rules,
 *		or all callers above the recorded part of the stack
 * CUT		the next value is above the recorded part of the stack
 * NO_RULES	code without unwind rules, and its frame pointer leads nowhere
 * NO_FP	a chain of frame pointers without a caller, or with a value that is not an address of code
 * MEMORY	the rules lead to memory that was not recorded, or in a circle
 * DEPTH	as many frames as were asked for
 * MISSING	the kernel would have recorded the user part later, and did not
 */
#ifndef PERF_UNWIND_STACK_END_H
#define PERF_UNWIND_STACK_END_H

#include "../machine/dso.h"
#include "../base/strbuf.h"

enum stack_why {
#define STACK_END(id, word, text) STACK_##id,
#include "stack-end.def"
#undef STACK_END
	STACK_NR
};

/* "complete" */
const char *stack_why_word(enum stack_why why);
/* true if the reason is counted by the dso of the outermost frame */
bool stack_why_has_dso(enum stack_why why);

/* reason and dso (ID_NONE: none) as one number; 0: no user part */
static inline u64 stack_end_key(enum stack_why why, u32 dso)
{
	return why | (u64)(stack_why_has_dso(why) ? dso + 1 : 0) << 8;
}
/* "no-unwind-info (libfoo.so)" */
void stack_end_format(u64 key, const struct dsos *dsos, struct strbuf *out);

/*
 * Address of the frame that replaces the missing callers of a cut stack; no user code has it. Without it
 * graphs from the outermost caller would show the last known function as one that nobody calls.
 */
#define STACK_END_IP(why) (0xff0057ac00000000ull | (why))
/* "[stack cut]" for that address, else NULL */
const char *stack_end_frame_name(u64 ip);

/* numbers of samples */
struct stack_ends {
	u64 nr[STACK_NR];
	struct { VEC(u64); } dso[2];	/* by dso id: NO_RULES, NO_FP */
	u64 whole;			/* bytes of the deepest stack that was cut; 0: unknown */
};
void stack_ends_add(struct stack_ends *e, enum stack_why why, u32 dso, u64 nr);
void stack_ends_merge(struct stack_ends *into, const struct stack_ends *from);
void stack_ends_release(struct stack_ends *e);
/* number of samples with a user part */
u64 stack_ends_total(const struct stack_ends *e);
/*
 * "71.2% complete, 24.0% cut by the 8192-byte dump (--call-graph dwarf,24576 would have been enough), ...";
 * dump_size: bytes of stack that were asked for, 0: none. Names are escaped
 */
void stack_ends_text(const struct stack_ends *e, const struct dsos *dsos, u32 dump_size, struct strbuf *out);

#endif
