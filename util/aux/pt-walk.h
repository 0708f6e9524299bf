/*
 * The walk of an Intel PT trace: packets say where a program went at branches whose direction its code does
 * not say; the code says the rest. What happens on the way is told to pt-emit.c, which makes samples of it.
 * A walk is of one piece, and one worker. Private to the kind intel-pt.
 */
#ifndef PERF_AUX_PT_WALK_H
#define PERF_AUX_PT_WALK_H

#include "aux-private.h"
#include "pt-code.h"
#include "pt-packet.h"
#include "pt-time.h"

enum pt_event {
	PT_EV_INSTRUCTIONS, PT_EV_BRANCHES, PT_EV_NR
};

/* what the user's options and the words of the recording mean; const while pieces are decoded */
struct pt_setup {
	u64 period;		/* of instructions: their number, or ticks (a power of 2) */
	bool ticks;
	bool calls, returns, branches;	/* which branches are samples */
	bool compresses_returns;
	struct pt_time time;	/* as it is at the start of a trace */
};

enum { PT_STACK = 64 };	/* return addresses that the processor keeps */

struct pt_walk {
	const struct aux *a;
	const struct pt_setup *setup;
	const struct aux_piece *piece;
	struct aux_out *out;
	struct pt_code *code;

	struct pt_block *at;	/* the next instruction is its first one; NULL: not known, or not traced */
	u64 at_ip;		/* if at is NULL: the next instruction, whose code is missing; 0: not known */
	u64 last_ip;		/* of the last packet with an address */
	bool is64;
	bool async;		/* an FUP said that something interrupted the program at fup_ip */
	bool overflow;		/* and an FUP will say where it goes on */
	u64 fup_ip;
	u64 bound;		/* an FUP is expected that says where a packet belongs to: bits by pt_type */
	u64 off;		/* of the packet, in the stream */

	u64 stack[PT_STACK];
	u32 top, depth;

	struct pt_time time;
	u64 tsc;		/* of samples: the time of the last packet that was used for a branch */
	u64 insns;		/* executed in this piece */
	s64 left;		/* instructions, or ticks, until the next sample */
	u64 due;		/* ticks at the next sample */
	u64 sampled;		/* insns at the last sample */
	bool emits_branches;
	bool measures;		/* only counts instructions */

	s32 pid, tid;
};

/* walks all of a piece */
void pt_walk_piece(struct pt_walk *w);

/* ---- pt-emit.c ---- */

/* before the first instruction; after the time changed */
void pt_emit_start(struct pt_walk *w);
void pt_emit_time(struct pt_walk *w);
/*
 * b was executed, up to the instruction with this number, and its samples are due. tsc: the time of a
 * branch at its end
 */
void pt_emit_due(struct pt_walk *w, const struct pt_block *b, u32 nr, u64 tsc);
/* a branch was taken; from or to 0: the trace begins, or ends. flags: PT_FLAG_* */
void pt_emit_branch(struct pt_walk *w, u64 from, u64 to, u32 kind, u32 flags);

/* what a branch is besides its kind */
enum { PT_BEGIN = 1, PT_END = 2, PT_ASYNC = 4 };

/* pt_walk.c: time in ns, and who runs then */
u64 pt_walk_ns(const struct pt_walk *w, u64 tsc);

#endif
