/* Lengths of x86 instructions. */
#include "test.h"

#include <stdlib.h>
#include "../../arch/x86/insn-len.h"
#include "../../util/base/alloc.h"

static const struct {
	int len, len32;		/* in 64-bit and in 32-bit code; the bytes that are not written are 0 */
	u8 b[15];
} insns[] = {
	{ 1, 1, { 0x90 } },					/* nop */
	{ 3, 1, { 0x48, 0x89, 0xc2 } },				/* mov %rax,%rdx; dec %eax */
	{ 9, 1, { 0x48, 0xc7, 0x44, 0x24, 0xf8 } },		/* movq $0,-8(%rsp) */
	{ 7, 7, { 0x0f, 0xb6, 0x90, 0xb4, 0x65, 0x4b } },	/* movzbl disp32(%rax),%edx */
	{ 6, 6, { 0x0f, 0x84, 0xc7, 0x02 } },			/* je */
	{ 5, 5, { 0xe8, 0x9f, 0xf8, 0xff, 0xff } },		/* call */
	{ 10, 1, { 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8 } },	/* movabs */
	{ 9, 5, { 0xa1, 1, 2, 3, 4, 5, 6, 7, 8 } },		/* mov moffs,%eax */
	{ 4, 4, { 0x66, 0xb8, 1, 2 } },				/* mov imm16,%ax */
	{ 6, 6, { 0xf7, 0xc0, 1, 2, 3, 4 } },			/* test imm32,%eax */
	{ 2, 2, { 0xf7, 0xd8 } },				/* neg */
	{ 3, 3, { 0xf6, 0xc1, 1 } },				/* test imm8,%cl */
	{ 7, 7, { 0x8b, 0x04, 0x25, 1, 2, 3, 4 } },		/* mov abs,%eax: sib without base */
	{ 6, 6, { 0x8b, 0x05, 1, 2, 3, 4 } },			/* mov disp(%rip),%eax; mov abs,%eax */
	{ 6, 2, { 0x62, 0x01, 0x7c, 0x48, 0x10, 0x01 } },	/* vmovups (evex); bound */
	{ 4, 4, { 0xc5, 0xf9, 0x6f, 0xc1 } },			/* vmovdqa */
	{ 5, 5, { 0xc5, 0xf9, 0x70, 0xc1, 0 } },		/* vpshufd imm8 */
	{ 3, 3, { 0xc5, 0xf8, 0x77 } },				/* vzeroupper */
	{ 6, 6, { 0xc4, 0xe3, 0x79, 0x0f, 0xc1, 4 } },		/* vpalignr */
	{ 4, 4, { 0xc8, 1, 2, 0 } },				/* enter */
	{ 3, 3, { 0xc2, 8, 0 } },				/* ret imm16 */
	{ 4, 4, { 0xf3, 0x0f, 0x1e, 0xfa } },			/* endbr64 */
};

TEST(x86_insn_lengths)
{
	for (size_t i = 0; i < ARRAY_SIZE(insns); i++) {
		CHECK_INT(x86_insn_len(insns[i].b, 15, true), insns[i].len);
		CHECK_INT(x86_insn_len(insns[i].b, 15, false), insns[i].len32);
		CHECK_INT(x86_insn_len(insns[i].b, insns[i].len - 1, true), 0);
	}
}

/* any bytes: never longer than what may be read */
TEST(x86_insn_lengths_of_anything)
{
	u8 b[16];
	u64 seed = 1, bad = 0;

	for (u32 i = 0; i < 200000; i++) {
		u32 nr = i % 16;
		u8 *p;

		for (u32 k = 0; k < 16; k++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			b[k] = seed >> 56;
		}
		p = xmemdup(b, nr + !nr);	/* so that a sanitizer sees what reads too far */
		bad += x86_insn_len(p, nr, i & 16) > (int)nr;
		free(p);
	}
	CHECK_U64(bad, 0);
}
