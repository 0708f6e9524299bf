/* mips: registers in the order of <asm/perf_regs.h>. */
#include "mips.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include "../cpuinfo.h"

static const struct arch_reg regs[] = {
	[0] = ARCH_NAME("PC"), [1] = ARCH_REG("$1", 1), [2] = ARCH_REG("$2", 2), [3] = ARCH_REG("$3", 3),
	[4] = ARCH_REG("$4", 4), [5] = ARCH_REG("$5", 5), [6] = ARCH_REG("$6", 6), [7] = ARCH_REG("$7", 7),
	[8] = ARCH_REG("$8", 8), [9] = ARCH_REG("$9", 9), [10] = ARCH_REG("$10", 10),
	[11] = ARCH_REG("$11", 11), [12] = ARCH_REG("$12", 12), [13] = ARCH_REG("$13", 13),
	[14] = ARCH_REG("$14", 14), [15] = ARCH_REG("$15", 15), [16] = ARCH_REG("$16", 16),
	[17] = ARCH_REG("$17", 17), [18] = ARCH_REG("$18", 18), [19] = ARCH_REG("$19", 19),
	[20] = ARCH_REG("$20", 20), [21] = ARCH_REG("$21", 21), [22] = ARCH_REG("$22", 22),
	[23] = ARCH_REG("$23", 23), [24] = ARCH_REG("$24", 24), [25] = ARCH_REG("$25", 25),
	[28] = ARCH_REG("$28", 28), [29] = ARCH_REG("$29", 29), [30] = ARCH_REG("$30", 30),
	[31] = ARCH_REG("$31", 31),
};
static const char *const unames[] = { "mips64", "mips", NULL };

/* "MIPS 1004Kc-V2.15" of "MIPS 1004Kc V2.15  FPU V0.0": model and revision, where x86 has the stepping */
static void cpu_ident(const char *cpuinfo, arch_emit *emit, void *ctx)
{
	char model[128], ident[200];
	char *revision;

	if (!cpuinfo_word(cpuinfo, "cpu model", model, sizeof(model)) || !(revision = strstr(model, " V")))
		return;
	*revision++ = '\0';
	snprintf(ident, sizeof(ident), "%s-%.*s", model, (int)strcspn(revision, " \t"), revision);
	emit(ctx, ident);
}

/*
 * $26 and $27 belong to the kernel and are never sampled. The low bit of an address selects the instruction
 * set.
 */
const struct arch arch_mips = {
	.name = "mips",
	.uname = unames,
	.abi = {
		{ .e_machine = EM_MIPS, .word = 4, .dwarf_sp = 29, .dwarf_fp = ARCH_NO_REG, .dwarf_ra = 31,
		  .dwarf_ip = ARCH_NO_REG, .ip_mask = 0xfffffffe, .jump_slot = R_MIPS_JUMP_SLOT,
		  .glob_dat = R_MIPS_GLOB_DAT, .plt_header = 32, .plt_entry = 16,
		  .stub_section = ".MIPS.stubs", .stub_walk = mips_stubs, .stub_symbols = true },
		{ .e_machine = EM_MIPS, .word = 8, .dwarf_sp = 29, .dwarf_fp = ARCH_NO_REG, .dwarf_ra = 31,
		  .dwarf_ip = ARCH_NO_REG, .ip_mask = ~1ull, .jump_slot = R_MIPS_JUMP_SLOT,
		  .glob_dat = R_MIPS_GLOB_DAT, .plt_header = 32, .plt_entry = 16,
		  .stub_section = ".MIPS.stubs", .stub_walk = mips_stubs, .stub_symbols = true,
		  .reloc_info = mips64_reloc_info },
	},
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 0,
	.reg_sp = 29,
	.user_regs_default = 0xffffffff & ~(3ull << 26),
	.insn_len = arch_insn_len4,
	.insn_align = 4,
	.model_key = "cpu model",
	.cpu_ident = cpu_ident,
};
