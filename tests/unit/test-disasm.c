/* Disasm: operands of instructions, which data flow reads. */
#include "test.h"

#include <elf.h>
#include <string.h>
#include "../../util/obj/disasm.h"

static struct disasm *open_or_skip(u16 e_machine)
{
	struct disasm_target t = { .e_machine = e_machine, .is64 = true };
	struct err err = ERR_INIT;
	struct disasm *d = disasm_open(&t, &err);

	if (!d)
		SKIP("needs libcapstone");
	return d;
}

static struct disasm_insn one(struct disasm *d, const char *bytes, size_t nr)
{
	struct disasm_insn in;

	disasm_next(d, (const u8 *)bytes, nr, 0x1000, &in);
	CHECK(in.size == nr && in.has_detail);
	return in;
}
#define ONE(d, bytes) one(d, bytes, sizeof(bytes) - 1)

TEST(disasm_operands_of_x86)
{
	struct disasm *d = open_or_skip(EM_X86_64);
	/* mov 8(%rdi,%rcx,4),%rdx */
	struct disasm_insn in = ONE(d, "\x48\x8b\x54\x8f\x08");

	CHECK(in.effect == DISASM_MOVE && in.nr_operands == 2 && in.written == 1u << 1);
	CHECK(in.operand[0].kind == DISASM_MEM && in.operand[0].reg == 5 && in.operand[0].index == 2);
	CHECK(in.operand[0].value == 8 && in.operand[0].size == 8 && !in.operand[0].opaque);
	CHECK(in.operand[1].kind == DISASM_REG && in.operand[1].written && in.operand[1].reg == 1);
	/* lea 0x10(%rip),%rax: the address as linked */
	in = ONE(d, "\x48\x8d\x05\x10\0\0\0");
	CHECK(in.effect == DISASM_ADDRESS && in.operand[0].value == 0x1017);
	CHECK(in.operand[0].reg == DISASM_NO_REG && in.operand[0].index == DISASM_NO_REG);
	/* mov %fs:0x28,%rax: not only of general registers */
	in = ONE(d, "\x64\x48\x8b\x04\x25\x28\0\0\0");
	CHECK(in.operand[0].opaque);
	/* cmpl $3,0x18(%rax) writes no register; sub $8,%rsp adds -8; nopl (%rax) accesses nothing */
	in = ONE(d, "\x83\x78\x18\x03");
	CHECK(in.effect == DISASM_COMPARE && !in.written && in.operand[1].size == 4);
	in = ONE(d, "\x48\x83\xec\x08");
	CHECK(in.effect == DISASM_ADD && in.operand[0].value == -8 && in.written == 1u << 7);
	in = ONE(d, "\x0f\x1f\x40\0");
	CHECK(in.effect == DISASM_NOP && !in.nr_operands);
	/* jumps: je and jmp; registers that no operand names: mul %rcx */
	CHECK(ONE(d, "\x74\x10").conditional && !ONE(d, "\xeb\x10").conditional);
	CHECK(ONE(d, "\x48\xf7\xe1").written == (1u << 0 | 1u << 1));
	/* syscall; lock cmpxchg %rcx,(%rdi); loop */
	CHECK(ONE(d, "\x0f\x05").written == (1u << 0 | 1u << 2 | 1u << 11));
	CHECK(ONE(d, "\xf0\x48\x0f\xb1\x0f").written & 1u << 0);
	CHECK(ONE(d, "\xe2\x03").kind == DISASM_JUMP && ONE(d, "\xe2\x03").conditional);
	disasm_close(d);
}

TEST(disasm_operands_of_arm64)
{
	struct disasm *d = open_or_skip(EM_AARCH64);
	/* ldr x9, [x0, #8] */
	struct disasm_insn in = ONE(d, "\x09\x04\x40\xf9");

	CHECK(in.effect == DISASM_MOVE && in.written == 1u << 9);
	CHECK(in.operand[1].kind == DISASM_MEM && in.operand[1].reg == 0 && in.operand[1].value == 8);
	CHECK(in.operand[1].size == 8 && in.operand[1].index == DISASM_NO_REG);
	/* ldrb w12, [x11, #0x21]; ldp x29, x30, [sp], #16: at sp, which changes */
	CHECK(ONE(d, "\x6c\x85\x40\x39").operand[1].size == 1);
	in = ONE(d, "\xfd\x7b\xc1\xa8");
	CHECK(in.operand[2].value == 0 && in.operand[2].size == 16 && in.written == 7u << 29);
	/* cmp w12, #3 changes no register; bl is a call */
	CHECK(!ONE(d, "\x9f\x0d\x00\x71").written);
	CHECK(ONE(d, "\x01\0\0\x94").kind == DISASM_CALL);
	disasm_close(d);
}
