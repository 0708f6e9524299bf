/*
 * The code that a trace went through: blocks from an address to the next branch, read from the files
 * that were mapped, and kept with their successors, so that one step of a walk is one pointer. One per
 * worker. Files of another build are not read. Old blocks are dropped together when there are many, so a
 * pointer to a block is good until the next look-up.
 */
#ifndef PERF_AUX_PT_CODE_H
#define PERF_AUX_PT_CODE_H

#include "../../arch/arch.h"
#include "../machine/machine.h"

struct symbols;

enum { PT_BLOCK_INSNS = 255 };
struct pt_block {
	u64 ip, last_ip;	/* of the first and of the last instruction */
	u64 next_ip;		/* after the last instruction */
	u64 target;		/* of a direct branch */
	/*
	 * blocks at next_ip [0], where calls return to, and at target [1]; NULL: not looked up yet, or in
	 * another mapping
	 */
	struct pt_block *to[2];
	const u8 *len;		/* of each instruction */
	const u8 *byte;		/* of the first instruction */
	u32 image;
	u8 nr;			/* of instructions; at least 1 */
	u8 kind;		/* enum arch_flow_kind; NONE: the block goes on at next_ip */
	u16 endless;		/* the walk that found it in a loop that needs no packet; 0: none */
};

struct pt_code;
struct pt_code *pt_code_new(const struct machine *m, const struct symbols *symbols, const struct arch *arch);
void pt_code_free(struct pt_code *c);

/* whose addresses the next look-ups are, and when; is64: of the code */
void pt_code_set(struct pt_code *c, const struct sample_ctx *ctx, bool is64);
/* a number for the next walk, for pt_block.endless: its result does not depend on walks before it */
u16 pt_code_new_walk(struct pt_code *c);
/* changes when blocks are dropped: pointers from before are dead then */
const u32 *pt_code_drops(const struct pt_code *c);
/* the block that begins at ip; NULL: there is no such code */
struct pt_block *pt_code_block(struct pt_code *c, u64 ip);
/* copies code at ip, at most size bytes; their number, 0: there is none */
u32 pt_code_read(struct pt_code *c, u64 ip, u8 *to, u32 size);
/* the dso that is mapped at ip; ID_NONE: there is none */
u32 pt_code_dso(struct pt_code *c, u64 ip);
/* the block that follows b: where it jumps to, or the next one. NULL: no code */
struct pt_block *pt_code_find(struct pt_code *c, struct pt_block *b, bool jump);
static inline struct pt_block *pt_code_follow(struct pt_code *c, struct pt_block *b, bool jump)
{
	return likely(b->to[jump]) ? b->to[jump] : pt_code_find(c, b, jump);
}

#endif
