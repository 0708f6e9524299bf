/* s390: registers in the order of <asm/perf_regs.h>. */
#include "s390.h"

#include <elf.h>

static const struct arch_reg regs[] = {
	[0] = ARCH_REG("R0", 0), [1] = ARCH_REG("R1", 1), [2] = ARCH_REG("R2", 2), [3] = ARCH_REG("R3", 3),
	[4] = ARCH_REG("R4", 4), [5] = ARCH_REG("R5", 5), [6] = ARCH_REG("R6", 6), [7] = ARCH_REG("R7", 7),
	[8] = ARCH_REG("R8", 8), [9] = ARCH_REG("R9", 9), [10] = ARCH_REG("R10", 10),
	[11] = ARCH_REG("R11", 11), [12] = ARCH_REG("R12", 12), [13] = ARCH_REG("R13", 13),
	[14] = ARCH_REG("R14", 14), [15] = ARCH_REG("R15", 15), [16] = ARCH_REG("FP0", 16),
	[17] = ARCH_REG("FP1", 20), [18] = ARCH_REG("FP2", 17), [19] = ARCH_REG("FP3", 21),
	[20] = ARCH_REG("FP4", 18), [21] = ARCH_REG("FP5", 22), [22] = ARCH_REG("FP6", 19),
	[23] = ARCH_REG("FP7", 23), [24] = ARCH_REG("FP8", 24), [25] = ARCH_REG("FP9", 28),
	[26] = ARCH_REG("FP10", 25), [27] = ARCH_REG("FP11", 29), [28] = ARCH_REG("FP12", 26),
	[29] = ARCH_REG("FP13", 30), [30] = ARCH_REG("FP14", 27), [31] = ARCH_REG("FP15", 31),
	[32] = ARCH_NAME("MASK"), [33] = ARCH_NAME("PC"),
};
static const struct arch_reloc relocs[] = {
	{ 4 /* 32 */, 4, RELOC_SET }, { 5 /* PC32 */, 4, RELOC_RELATIVE },
	{ 22 /* 64 */, 8, RELOC_SET }, { 23 /* PC64 */, 8, RELOC_RELATIVE }
};
static const char *const unames[] = { "s390x", "s390", NULL };

const struct arch arch_s390 = {
	.name = "s390",
	.uname = unames,
	.abi[1] = {
		.e_machine = EM_S390, .word = 8,
		.dwarf_sp = 15, .dwarf_fp = ARCH_NO_REG, .dwarf_ra = 14, .dwarf_ip = ARCH_NO_REG,
		.ip_mask = UINT64_MAX, .jump_slot = R_390_JMP_SLOT, .glob_dat = R_390_GLOB_DAT,
		.irelative = R_390_IRELATIVE, .plt_header = 32, .plt_entry = 32,
		.reloc = relocs, .nr_relocs = ARRAY_SIZE(relocs),
		.arg_reg = { "r2", "r3", "r4", "r5", "r6" }, .objdump = { "s390:31-bit", "s390:64-bit" },
	},
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 33,
	.reg_sp = 15,
	.user_regs_default = 0x3ffffffff,
	.insn_align = 2,
	.model_key = "vendor_id",
	.cpu_ident = s390_cpu_ident,
};
