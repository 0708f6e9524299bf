/*
 * Wall-stacks: the distinct call chains of a recording, and what their functions of the kernel say: what a
 * wait there is for, and what the first argument of the system call names. Numbers count from 0.
 */
#ifndef PERF_INJECT_WALL_STACKS_H
#define PERF_INJECT_WALL_STACKS_H

#include "../base/sequences.h"
#include "../resolve/resolver.h"
#include "../wall/reasons.h"

/* what is known of a stack */
struct wall_place_known {
	u8 rule;		/* the first one that a function meets */
	u8 program_rule;	/* the same for functions of the program, if it waits for a futex there */
	u8 waker_rule;		/* that of the kernel's functions, if a waker has this stack */
	u8 arg;			/* enum wall_arg, of the system call */
	u32 stack;		/* its number, or that without the function that called a BPF program */
	u32 left;		/* and without functions that only take a thread off its CPU */
	u64 probe_return;	/* an address of it where a probe takes returns; 0: none is known */
};

struct wall_stacks {
	struct resolver *r;
	struct arena *scratch;
	struct sequences chains;	/* as they are written, with context markers */
	struct { VEC(struct wall_place_known); } place;	/* by stack */
	struct strbuf scratch_chain;
	u8 state_rule[128];		/* by letter of the state */
	bool has_probes;		/* of returns: stacks are searched for them */
};

/* r and scratch must live as long as it */
void wall_stacks_init(struct wall_stacks *w, struct resolver *r, struct arena *scratch);

/* the number of the stack of a sample; WALL_NO_STACK: it has none */
u32 wall_stack_of(struct wall_stacks *w, const struct rec *rec, const struct sample *s);
/* the same for a sample without call chain: its address alone */
u32 wall_stack_of_ip(struct wall_stacks *w, const struct rec *rec, const struct sample *s);
/* the same for a chain that is known already, with its sequences_hash() */
u32 wall_stack_of_chain(struct wall_stacks *w, const struct rec *rec, const struct sample *s,
			const u64 *chain, u32 nr, u64 hash);
/*
 * what a thread waits for that left its CPU there, in that state. arg: the first argument of the system call
 * in progress, if there is one; NULL: not known
 */
enum wall_wait wall_stack_wait(const struct wall_stacks *w, u32 stack, char letter, const u64 *arg);
/* what a futex is for that a thread waits for there, to whose name that rule applies */
enum wall_wait wall_stack_futex(const struct wall_stacks *w, u32 stack, u8 thread_rule);
/* what one waited for that waited for a futex, by the stack of the waker; WALL_WAIT_OTHER: not known */
enum wall_wait wall_stack_waker_wait(const struct wall_stacks *w, u32 stack);
static inline enum wall_arg wall_stack_arg(const struct wall_stacks *w, u32 stack)
{
	return w->place.v[stack].arg;
}
/* the stack of a thread that left its CPU there: it ends in the function that waits, or was preempted */
static inline u32 wall_stack_left(const struct wall_stacks *w, u32 stack)
{
	return stack == WALL_NO_STACK ? stack : w->place.v[stack].left;
}
/*
 * The stack with the addresses of callers, innermost first, in place of those to which functions return whose
 * returns have probes; as many as there are
 */
u32 wall_stack_with_callers(struct wall_stacks *w, u32 stack, const u64 *back, u32 nr);
static inline const u64 *wall_stack_chain(const struct wall_stacks *w, u32 stack, u32 *ret_nr)
{
	return sequences_get(&w->chains, stack, ret_nr);
}
/* all but those of what threads do now, which get new numbers */
void wall_stacks_forget(struct wall_stacks *w, struct wall *of);
void wall_stacks_release(struct wall_stacks *w);

#endif
