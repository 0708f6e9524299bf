/* arm: registers in the order of <asm/perf_regs.h>. */
#include "../arch.h"

#include <elf.h>

static const struct arch_reg regs[] = {
	[0] = ARCH_REG("r0", 0), [1] = ARCH_REG("r1", 1), [2] = ARCH_REG("r2", 2), [3] = ARCH_REG("r3", 3),
	[4] = ARCH_REG("r4", 4), [5] = ARCH_REG("r5", 5), [6] = ARCH_REG("r6", 6), [7] = ARCH_REG("r7", 7),
	[8] = ARCH_REG("r8", 8), [9] = ARCH_REG("r9", 9), [10] = ARCH_REG("r10", 10),
	[11] = ARCH_REG("fp", 11), [12] = ARCH_REG("ip", 12), [13] = ARCH_REG("sp", 13),
	[14] = ARCH_REG("lr", 14), [15] = ARCH_NAME("pc"),
};
static const struct arch_reloc relocs[] = {
	{ 2 /* ABS32 */, 4, RELOC_SET }, { 3 /* REL32 */, 4, RELOC_RELATIVE }
};
static const char *const unames[] = { "armv5l", "armv6l", "armv7l", "armv8l", "arm", NULL };

const struct arch arch_arm = {
	.name = "arm",
	.uname = unames,
	.abi[0] = {
		.e_machine = EM_ARM, .word = 4,
		.dwarf_sp = 13, .dwarf_fp = 11, .fp_record = -4, .dwarf_ra = 14, .dwarf_ip = ARCH_NO_REG,
		.ip_mask = 0xfffffffe, .jump_slot = R_ARM_JUMP_SLOT, .glob_dat = R_ARM_GLOB_DAT,
		.irelative = R_ARM_IRELATIVE, .plt_header = 20, .plt_entry = 12,
		.reloc = relocs, .nr_relocs = ARRAY_SIZE(relocs), .arg_reg = { "r0", "r1", "r2", "r3" },
	},
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 15,
	.reg_sp = 13,
	.user_regs_default = 0xffff,
	.code_mask = ~1ull,	/* the low bit of a Thumb function's value selects the instruction set */
	.insn_align = 2,
	.branch_of = arch_branch_b,
	.mapping_symbols = true,
	.model_key = "model name",
};
