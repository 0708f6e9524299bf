/*
 * Stacks: call chains of events, named and interned: equal chains have one id. A command can leave frames
 * out, such as those of the scheduler itself, and mark kernel functions that mean something to it. Names
 * belong to the stacks, which belong to one thread.
 */
#ifndef PERF_TRACING_STACKS_H
#define PERF_TRACING_STACKS_H

#include "../base/sequences.h"
#include "../resolve/named-frames.h"
#include "tracing.h"

#define TRACING_MAX_STACK 127u

struct tracing_frame {
	u32 dso;
	u64 addr;
	u64 ip;
	bool caller;			/* ip is a return address */
	const char *name;		/* printable; "[unknown]" without a symbol */
	u8 mark;			/* the command's own; 0: none */
	bool skip;			/* left out of stacks */
	bool is_entry;			/* an interrupt begins here: what it interrupted called it */
};

/* sets mark, skip and is_entry of a frame in a function of the kernel */
typedef void (*tracing_describe)(struct tracing_frame *f, const char *symbol);

struct tracing_stacks {
	struct resolver resolver;
	struct arena scratch;
	struct named_frames names;
	struct { VEC(struct tracing_frame); } frame;
	struct sequences stack;		/* ids of frames, innermost first */
	struct { VEC(u8); } mark;	/* by stack: of the innermost frame that has one */
	tracing_describe describe;	/* NULL: all frames are shown */
	u32 max;			/* frames that are looked up */
	bool kernel_only;		/* stacks end where the kernel was entered */
	bool ready;
};

/* max: frames that are looked up, those that are left out included */
void tracing_stacks_init(struct tracing_stacks *k, const struct session *s, u32 max,
			 tracing_describe describe);
void tracing_stacks_release(struct tracing_stacks *k);
/* the stack of an event, ID_NONE if it has none */
u32 tracing_stack_of(struct tracing_stacks *k, const struct tracing_sample *ts);
/* without what an interrupt interrupted, if the event happened in one that the stack shows: *ret_cut */
u32 tracing_stack_of_interrupt(struct tracing_stacks *k, const struct tracing_sample *ts, bool *ret_cut);
/* its nth frame; NULL after the last one */
const struct tracing_frame *tracing_stack_frame(const struct tracing_stacks *k, u32 stack, u32 n);
/* "inner <- outer <- ...", nothing for ID_NONE */
void tracing_stack_text(const struct tracing_stacks *k, u32 stack, struct strbuf *out);

#endif
