/* Call-regs: see call-regs.h. */
#include "call-regs.h"
#include "../bpf/registers.h"

#include <elf.h>

static const struct call_regs all_regs[] = {
	{ .e_machine = EM_X86_64, .size = 168, .arg = { 112, 104, 96, 56, 72, 64 },
	  .compat_arg = { 40, 88, 96, 104, 112, 32 },
	  /* cs is the segment of 32-bit code */
	  .compat_at = 136, .compat_mask = 0xffff, .compat_value = 0x23,
	  /* int 0x80; the instruction syscall leaves its return address in rcx */
	  .compat_insn = 0x80cd, .next_at = 128, .next_copy = 88, .ordered_stores = true },
	{ .e_machine = EM_AARCH64, .size = 272, .arg = { 0, 8, 16, 24, 32, 40 },
	  .compat_arg = { 0, 8, 16, 24, 32, 40 },
	  /* pstate says that the processor is in its 32-bit mode */
	  .compat_at = 264, .compat_mask = 0x10, .compat_value = 0x10 },
};

const struct call_regs *call_regs_of(u16 e_machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(all_regs); i++)
		if (all_regs[i].e_machine == e_machine)
			return &all_regs[i];
	return NULL;
}

void write_is_compat(struct bpf_code *c, const struct call_regs *regs, s16 at, s16 word, u32 native)
{
	u32 compat = bpf_label(c);

	bpf_load(c, BPF_W, R1, FRAME, at + (s16)regs->compat_at);
	bpf_alu_imm(c, BPF_AND, R1, (s32)regs->compat_mask);
	bpf_jump_imm(c, BPF_JEQ, R1, (s32)regs->compat_value, compat);
	if (!regs->compat_insn) {
		bpf_jump_always(c, native);
		bpf_place(c, compat);
		return;
	}
	bpf_load(c, BPF_DW, R3, FRAME, at + (s16)regs->next_at);
	bpf_load(c, BPF_DW, R1, FRAME, at + (s16)regs->next_copy);
	bpf_jump_if(c, BPF_JEQ, R1, R3, native);
	/* another instruction, or a processor that leaves the register alone (FRED) */
	bpf_store_imm(c, BPF_DW, FRAME, word, 0);
	bpf_frame_address(c, R1, word);
	bpf_set(c, R2, 2);
	bpf_alu_imm(c, BPF_SUB, R3, 2);
	bpf_call_helper(c, BPF_FUNC_probe_read_user);
	bpf_load(c, BPF_H, R1, FRAME, word);
	bpf_jump_imm(c, BPF_JNE, R1, regs->compat_insn, native);
	bpf_place(c, compat);
}
