/* Lengths of x86 instructions, and where instructions of x86 and arm64 lead. */
#include "test.h"

#include <stdlib.h>
#include "../../arch/arch.h"
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

static const struct {
	u8 kind, kind32;
	s64 distance;
	u8 b[8];
} flows[] = {
	{ ARCH_FLOW_NONE, ARCH_FLOW_NONE, 0, { 0x90 } },
	{ ARCH_FLOW_JCC, ARCH_FLOW_JCC, -2, { 0x75, 0xfe } },
	{ ARCH_FLOW_JCC, ARCH_FLOW_JCC, 0x12345678, { 0x0f, 0x84, 0x78, 0x56, 0x34, 0x12 } },
	{ ARCH_FLOW_JCC, ARCH_FLOW_JCC, 5, { 0xe3, 5 } },			/* jrcxz */
	{ ARCH_FLOW_JMP, ARCH_FLOW_JMP, -128, { 0xeb, 0x80 } },
	{ ARCH_FLOW_JMP, ARCH_FLOW_JMP, -1, { 0xf2, 0xe9, 0xff, 0xff, 0xff, 0xff } },	/* bnd jmp */
	{ ARCH_FLOW_CALL, ARCH_FLOW_CALL, 0x133f, { 0x67, 0xe8, 0x3f, 0x13, 0, 0 } },
	{ ARCH_FLOW_CALL_INDIRECT, ARCH_FLOW_NONE, 0, { 0x41, 0xff, 0xd0 } },	/* call *%r8; inc %ecx */
	{ ARCH_FLOW_JMP_INDIRECT, ARCH_FLOW_JMP_INDIRECT, 0, { 0x3e, 0xff, 0x24, 0xc5 } },	/* notrack */
	{ ARCH_FLOW_FAR, ARCH_FLOW_FAR, 0, { 0xff, 0x28 } },
	{ ARCH_FLOW_NONE, ARCH_FLOW_NONE, 0, { 0xff, 0x30 } },			/* push */
	{ ARCH_FLOW_RET, ARCH_FLOW_RET, 0, { 0xf3, 0xc3 } },
	{ ARCH_FLOW_RET, ARCH_FLOW_RET, 0, { 0xc2, 8, 0 } },
	{ ARCH_FLOW_SYSCALL, ARCH_FLOW_SYSCALL, 0, { 0x0f, 0x05 } },
	{ ARCH_FLOW_SYSRET, ARCH_FLOW_SYSRET, 0, { 0x0f, 0x07 } },
	{ ARCH_FLOW_SYSRET, ARCH_FLOW_NONE, 0, { 0x48, 0x0f, 0x07 } },
	{ ARCH_FLOW_INT, ARCH_FLOW_INT, 0, { 0xcd, 0x80 } },
	{ ARCH_FLOW_IRET, ARCH_FLOW_NONE, 0, { 0x48, 0xcf } },
	{ ARCH_FLOW_VM, ARCH_FLOW_VM, 0, { 0x0f, 0x01, 0xc1 } },		/* vmcall */
	{ ARCH_FLOW_PTWRITE, ARCH_FLOW_NONE, 0, { 0xf3, 0x48, 0x0f, 0xae, 0xe0 } },
	{ ARCH_FLOW_NONE, ARCH_FLOW_NONE, 0, { 0x0f, 0xae, 0xe8 } },		/* lfence */
};

TEST(x86_insn_flows)
{
	struct arch_flow flow;

	for (size_t i = 0; i < ARRAY_SIZE(flows); i++) {
		CHECK(arch_x86.insn_flow(flows[i].b, 8, true, &flow));
		CHECK_INT(flow.kind, flows[i].kind);
		CHECK_INT(flow.distance, flows[i].distance);
		CHECK(arch_x86.insn_flow(flows[i].b, 8, false, &flow));
		CHECK_INT(flow.kind, flows[i].kind32);
	}
	CHECK(!arch_x86.insn_flow(flows[2].b, 5, true, &flow));
}

static const struct {
	u32 insn;
	u8 kind;
	s64 distance;
} a64_flows[] = {
	{ 0x14000000, ARCH_FLOW_JMP, -4 },			/* b . */
	{ 0x97ffffff, ARCH_FLOW_CALL, -8 },			/* bl .-4 */
	{ 0x54ffffc0, ARCH_FLOW_JCC, -12 },			/* b.eq .-8 */
	{ 0xb4000081, ARCH_FLOW_JCC, 12 },			/* cbz x1, .+16 */
	{ 0x35000081, ARCH_FLOW_JCC, 12 },			/* cbnz w1, .+16 */
	{ 0xb647ff03, ARCH_FLOW_JCC, -36 },			/* tbz x3, #40, .-32 */
	{ 0x37200203, ARCH_FLOW_JCC, 60 },			/* tbnz w3, #4, .+64 */
	{ 0xd61f0020, ARCH_FLOW_JMP_INDIRECT, 0 },		/* br x1 */
	{ 0xd71f0822, ARCH_FLOW_JMP_INDIRECT, 0 },		/* braa x1, x2 */
	{ 0xd63f0040, ARCH_FLOW_CALL_INDIRECT, 0 },		/* blr x2 */
	{ 0xd63f083f, ARCH_FLOW_CALL_INDIRECT, 0 },		/* blraaz x1 */
	{ 0xd65f03c0, ARCH_FLOW_RET, 0 },			/* ret */
	{ 0xd65f0bff, ARCH_FLOW_RET, 0 },			/* retaa */
	{ 0xd69f03e0, ARCH_FLOW_IRET, 0 },			/* eret */
	{ 0xd69f0bff, ARCH_FLOW_IRET, 0 },			/* eretaa */
	{ 0xd5033fdf, ARCH_FLOW_BARRIER, 0 },			/* isb */
	{ 0xd503207f, ARCH_FLOW_WAIT, 0 },			/* wfi */
	{ 0xd503205f, ARCH_FLOW_WAIT, 0 },			/* wfe */
	{ 0xd4000001, ARCH_FLOW_NONE, 0 },			/* svc #0 */
	{ 0xd5033f9f, ARCH_FLOW_NONE, 0 },			/* dsb sy */
	{ 0xd503203f, ARCH_FLOW_NONE, 0 },			/* yield */
	{ 0xd503201f, ARCH_FLOW_NONE, 0 },			/* nop */
	{ 0xf947fe11, ARCH_FLOW_NONE, 0 },			/* ldr x17, [x16, #4088] */
};

TEST(arm64_insn_flows)
{
	struct arch_flow flow;

	for (size_t i = 0; i < ARRAY_SIZE(a64_flows); i++) {
		u32 v = a64_flows[i].insn;
		u8 b[] = { v, v >> 8, v >> 16, v >> 24 };

		CHECK(arch_arm64.insn_flow(b, sizeof(b), true, &flow));
		CHECK_INT(flow.len, 4);
		CHECK_INT(flow.kind, a64_flows[i].kind);
		CHECK_INT(flow.distance, a64_flows[i].distance);
		CHECK(!arch_arm64.insn_flow(b, 3, true, &flow));
	}
}
