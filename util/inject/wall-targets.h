/*
 * Wall-targets: what waits are for, as texts: the file of the system call in progress, the symbol of a
 * futex, a process. Only what the recording says: a file has a name if BPF programs read it when the thread
 * left its CPU, else its number; a lock has a symbol if the program has one there, else its address and the
 * function that waits for it, the innermost one that is not of the C library or of Go's runtime.
 */
#ifndef PERF_INJECT_WALL_TARGETS_H
#define PERF_INJECT_WALL_TARGETS_H

#include "../base/sequences.h"
#include "../base/strtab.h"
#include "../record/wall-switches.h"
#include "../resolve/resolver.h"
#include "../wall/reasons.h"
#include "../wall/wall-event.h"

struct wall_lock;
/* lives as long as the resolver */
struct wall_targets {
	struct resolver *r;
	struct strtab text;
	struct sequences files;		/* number and struct wall_file_raw of each */
	struct { VEC(u32); } file_text;	/* by sequence */
	struct { VEC(struct wall_lock); } lock;
	struct hidx locks;
	struct strbuf scratch;
	struct arena arena;
};

/* one wait */
struct wall_call {
	enum wall_arg arg;
	u64 value;
	const struct wall_file_raw *file;	/* in this machine's byte order; NULL: not recorded */
	u32 stack;				/* the number of the chain */
	const u64 *chain;			/* of the thread, with context markers */
	u32 nr_chain;
};

void wall_targets_init(struct wall_targets *t, struct resolver *r);
void wall_targets_release(struct wall_targets *t);
/* the number of a text; 0: not known */
u32 wall_target_of(struct wall_targets *t, const struct sample_ctx *ctx, const struct wall_call *call);
/* the end of a thread */
u32 wall_target_of_thread(struct wall_targets *t, s32 tid);
/* the file that is mapped at that address */
u32 wall_target_of_fault(struct wall_targets *t, const struct sample_ctx *ctx, u64 address);
/* all but those of what threads do now, which get new numbers */
void wall_targets_forget(struct wall_targets *t, struct wall *of);
/* the machine has changed: places of locks are looked up again */
void wall_targets_forget_places(struct wall_targets *t);
/* "" of 0 */
const char *wall_target_text(const struct wall_targets *t, u32 target);

#endif
