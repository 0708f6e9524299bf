/*
 * Stubs of PowerPC programs. The section .plt has no code: it is the table of slots. For each called function
 * linkers put a stub into .text, which loads the slot and jumps.
 */
#include "powerpc.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include "../../util/base/alloc.h"

#define BCTR		0x4e800420u
#define MTCTR_R11	0x7d6903a6u
#define MTCTR_R12	0x7d8903a6u
#define BCL_NEXT	0x429f0005u	/* bcl 20,31,.+4: the link register is the address after it */
#define MFLR_R30	0x7fc802a6u

/* bytes from the beginning of .got to the address that r2 holds in 64-bit programs */
#define TOC_BIAS	0x8000u

static u32 word(const struct arch_plt_code *code, size_t i)
{
	u32 insn;

	if (i >= code->size / 4)
		return 0;
	memcpy(&insn, code->p + i * 4, 4);
	return code->big_endian ? be32toh(insn) : le32toh(insn);
}

/* the upper half of an instruction with a 16-bit operand: its opcode and registers */
static bool is_op(u32 insn, u32 high)
{
	return insn >> 16 == high;
}

static s64 operand(u32 insn)
{
	return (s16)insn;
}

/* ---- 64-bit ---- */

#define STUB_MAX 8u	/* instructions after the load */

/* the position after the jump to r12, which may depend on a condition; 0: none follows */
static size_t after_jump(const struct arch_plt_code *code, size_t i)
{
	bool moved = false;

	for (size_t end = i + STUB_MAX; i < end; i++) {
		u32 insn = word(code, i);

		if (insn == MTCTR_R12)
			moved = true;
		else if ((insn & 0xfc00ffff) == (BCTR & 0xfc00ffff))
			return moved ? i + 1 : 0;
		else if (insn >> 26 == 16 || insn >> 26 == 18 || insn >> 26 == 19)
			return 0;	/* another branch */
	}
	return 0;
}

/*
 * A load of r12 at i, whose stub begins at *start: [addis rN,r2,high;] ld r12,low(r2 or rN), or relative to
 * the address: pld r12. Returns its number of instructions, 0: none.
 */
static size_t load_r12(const struct arch_plt_code *code, size_t i, size_t *start, u64 *slot)
{
	u32 insn = word(code, i), next = word(code, i + 1), base = insn >> 16 & 31, before;
	u64 toc = code->got + TOC_BIAS;

	*start = i;
	if ((insn & 0xfffc0000) == 0x04100000 && is_op(next, 0xe580)) {
		*slot = code->svma + i * 4 + ((s64)((u64)(insn & 0x3ffff) << 46) >> 30) + (next & 0xffff);
		return 2;
	}
	if ((insn & 0xffe00003) != 0xe9800000 || !code->got)
		return 0;
	if (base == 2) {
		*slot = toc + operand(insn);
		return 1;
	}
	before = i ? word(code, i - 1) : 0;
	if (!is_op(before, 0x3c02 | base << 5))
		return 0;
	*start = i - 1;
	*slot = toc + operand(before) * 65536 + operand(insn);
	return 1;
}

void powerpc_stubs_64(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx)
{
	for (size_t i = 0, end; i < code->size / 4; i = end ? end : i + 1) {
		size_t start, nr;
		u64 slot;

		nr = load_r12(code, i, &start, &slot);
		end = nr ? after_jump(code, i + nr) : 0;
		if (!end)
			continue;
		/* std r2,24(r1) or std r2,40(r1): saves r2 for the caller */
		if (start && (word(code, start - 1) & ~0x30u) == 0xf8410008)
			start--;
		emit(ctx, code->svma + start * 4, (end - start) * 4, slot);
	}
}

/* ---- 32-bit ---- */

/* the address that r30 holds in position-independent code, which each function computes anew */
struct pic_base {
	u64 addr;
	u32 nr_steps;	/* of its four instructions; 4: known */
};

static void follow_r30(struct pic_base *b, u32 insn, u64 svma)
{
	if (insn == BCL_NEXT)
		*b = (struct pic_base){ svma + 4, 1 };
	else if (insn == MFLR_R30 && b->nr_steps == 1)
		b->nr_steps = 2;
	else if (is_op(insn, 0x3fde) && b->nr_steps == 2)
		*b = (struct pic_base){ b->addr + operand(insn) * 65536, 3 };
	else if (is_op(insn, 0x3bde) && b->nr_steps == 3)
		*b = (struct pic_base){ b->addr + operand(insn), 4 };
}

/* a stub at i that loads r11 with an address relative to r30; its number of instructions, 0: none */
static size_t pic_stub(const struct arch_plt_code *code, size_t i, s64 *off)
{
	u32 insn = word(code, i), next = word(code, i + 1);
	size_t nr = 1;

	*off = operand(insn);
	if (is_op(insn, 0x3d7e) && is_op(next, 0x816b)) {
		*off = operand(insn) * 65536 + operand(next);
		nr = 2;
	} else if (!is_op(insn, 0x817e)) {
		return 0;
	}
	return word(code, i + nr) == MTCTR_R11 && word(code, i + nr + 1) == BCTR ? nr + 2 : 0;
}

/* lis r11,high; lwz r11,low(r11); mtctr r11; bctr */
static bool absolute_stub(const struct arch_plt_code *code, size_t i, u64 *slot)
{
	u32 insn = word(code, i), next = word(code, i + 1);

	*slot = (u32)(operand(insn) * 65536 + operand(next));
	return is_op(insn, 0x3d60) && is_op(next, 0x816b) && word(code, i + 2) == MTCTR_R11 &&
	       word(code, i + 3) == BCTR;
}

/* a branch with or without link at i: the position of its target, SIZE_MAX: outside of the code */
static size_t branch_target(const struct arch_plt_code *code, size_t i, u32 insn)
{
	s64 target = (s64)i + ((s32)(insn << 6) >> 8);

	return target >= 0 && (u64)target < code->size / 4 ? (size_t)target : SIZE_MAX;
}

void powerpc_stubs_32(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx)
{
	size_t nr = code->size / 4, len;
	bool *seen = xcalloc(nr + 1, sizeof(*seen));
	struct pic_base base = { 0 };
	u64 slot;
	s64 off;

	for (size_t i = 0; i < nr; i++) {
		u32 insn = word(code, i);
		size_t to = SIZE_MAX;

		follow_r30(&base, insn, code->svma + i * 4);
		if (absolute_stub(code, i, &slot))
			emit(ctx, code->svma + i * 4, 16, slot);
		else if ((insn & 0xfc000002) == 0x48000000 && base.nr_steps == 4)
			to = branch_target(code, i, insn);
		if (to == SIZE_MAX || seen[to])
			continue;
		len = pic_stub(code, to, &off);
		seen[to] = len;
		if (len)
			emit(ctx, code->svma + to * 4, len * 4, (u32)(base.addr + off));
	}
	free(seen);
}
