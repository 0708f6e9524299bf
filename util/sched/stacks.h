/*
 * Stacks: call chains of events, named and interned: equal chains have one id. Frames of the scheduler itself
 * at the inner end are left out. Names belong to the stacks, which belong to one thread.
 */
#ifndef PERF_SCHED_STACKS_H
#define PERF_SCHED_STACKS_H

#include "sched.h"

#define SCHED_MAX_STACK 127u

/* why a thread sleeps, as far as the function tells in which it does */
enum sched_reason { SCHED_REASON_NONE, SCHED_REASON_LOCK, SCHED_REASON_DISK };

struct sched_frame {
	u32 dso;
	u64 addr;
	const char *name;		/* printable; "[unknown]" without a symbol */
	enum sched_reason reason;
	bool is_scheduler;		/* left out */
};

struct sched_stack {
	u32 first, nr;			/* into sched_stacks.ids */
	enum sched_reason reason;	/* of the innermost frame that tells one */
};

struct sched_stacks {
	struct resolver resolver;
	struct arena scratch, names;
	struct { VEC(struct sched_frame); } frame;
	struct { VEC(struct sched_stack); } stack;
	struct { VEC(u32); } ids;	/* frames of all stacks, innermost first */
	struct hidx by_frame, by_stack;
	u32 max;			/* frames that are looked up */
	bool ready;
};

/* max: frames that are looked up, those of the scheduler included */
void sched_stacks_init(struct sched_stacks *k, const struct session *s, u32 max);
void sched_stacks_release(struct sched_stacks *k);
/* the stack of an event, ID_NONE if it has none */
u32 sched_stack_of(struct sched_stacks *k, const struct tracing_sample *ts);
/* the name of its nth frame; NULL after the last one */
const char *sched_stack_frame(const struct sched_stacks *k, u32 stack, u32 n);
/* "inner <- outer <- ...", nothing for ID_NONE */
void sched_stack_text(const struct sched_stacks *k, u32 stack, struct strbuf *out);

#endif
