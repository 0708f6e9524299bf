/* arm64: registers in the order of <asm/perf_regs.h>. */
#include "arm64.h"

#include <ctype.h>
#include <elf.h>

static const struct arch_reg regs[] = {
	[0] = ARCH_REG("x0", 0), [1] = ARCH_REG("x1", 1), [2] = ARCH_REG("x2", 2), [3] = ARCH_REG("x3", 3),
	[4] = ARCH_REG("x4", 4), [5] = ARCH_REG("x5", 5), [6] = ARCH_REG("x6", 6), [7] = ARCH_REG("x7", 7),
	[8] = ARCH_REG("x8", 8), [9] = ARCH_REG("x9", 9), [10] = ARCH_REG("x10", 10),
	[11] = ARCH_REG("x11", 11), [12] = ARCH_REG("x12", 12), [13] = ARCH_REG("x13", 13),
	[14] = ARCH_REG("x14", 14), [15] = ARCH_REG("x15", 15), [16] = ARCH_REG("x16", 16),
	[17] = ARCH_REG("x17", 17), [18] = ARCH_REG("x18", 18), [19] = ARCH_REG("x19", 19),
	[20] = ARCH_REG("x20", 20), [21] = ARCH_REG("x21", 21), [22] = ARCH_REG("x22", 22),
	[23] = ARCH_REG("x23", 23), [24] = ARCH_REG("x24", 24), [25] = ARCH_REG("x25", 25),
	[26] = ARCH_REG("x26", 26), [27] = ARCH_REG("x27", 27), [28] = ARCH_REG("x28", 28),
	[29] = ARCH_REG("x29", 29), [30] = ARCH_REG("lr", 30), [31] = ARCH_REG("sp", 31),
	[32] = ARCH_NAME("pc"), [46] = ARCH_NAME("vg"),
};
static const struct arch_reloc relocs[] = {
	{ 257 /* ABS64 */, 8, RELOC_SET }, { 258 /* ABS32 */, 4, RELOC_SET },
	{ 260 /* PREL64 */, 8, RELOC_RELATIVE }, { 261 /* PREL32 */, 4, RELOC_RELATIVE }
};
static const struct arch_alias aliases[] = { { "lr", "x30" }, { "fp", "x29" }, { NULL, NULL } };
static const char *const unames[] = { "aarch64", "arm64", NULL };

static void whole_reg(char name[ARCH_REG_NAME])
{
	if (name[0] == 'w' && isdigit((u8)name[1]))
		name[0] = 'x';
}

/* VG, the SVE vector length, only where the CPU has SVE */
const struct arch arch_arm64 = {
	.name = "arm64",
	.uname = unames,
	.abi[1] = {
		.e_machine = EM_AARCH64, .word = 8,
		.dwarf_sp = 31, .dwarf_fp = 29, .dwarf_ra = 30, .dwarf_ip = ARCH_NO_REG,
		/* x0 to x18, and x30 */
		.call_clobbers = 0x4007ffff,
		.ip_mask = (1ull << 55) - 1, .relative = R_AARCH64_RELATIVE,
		.jump_slot = R_AARCH64_JUMP_SLOT, .glob_dat = R_AARCH64_GLOB_DAT,
		.irelative = R_AARCH64_IRELATIVE, .plt_walk = arm64_plt,
		.reloc = relocs, .nr_relocs = ARRAY_SIZE(relocs),
		.arg_reg = { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7" },
		.objdump = { "aarch64:ilp32", "aarch64" },
	},
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.insn_len = arch_insn_len4,
	.insn_flow = arm64_insn_flow,
	.reg_ip = 32,
	.reg_sp = 31,
	.user_regs_default = 0x1ffffffff,
	.chain_regs = 1ull << 30,
	.call_arg_reg = 1,
	.intr_regs_extra = 1ull << 46,
	.alias = aliases,
	.whole_reg = whole_reg,
	.peer_snoops = true,
	.compat_machine = EM_ARM,
	.insn_align = 4,
	.branch_of = arch_branch_b,
	.mapping_symbols = true,
	.model_key = "Processor",
	.cpu_ident = arm64_cpu_ident,
	.cpu_id = arm64_cpu_id,
};
