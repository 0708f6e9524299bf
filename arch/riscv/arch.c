/* riscv: registers in the order of <asm/perf_regs.h>. */
#include "../arch.h"

#include <elf.h>
#include <stdio.h>
#include "../cpuinfo.h"

static const struct arch_reg regs[] = {
	[0] = ARCH_NAME("pc"), [1] = ARCH_REG("ra", 1), [2] = ARCH_REG("sp", 2), [3] = ARCH_REG("gp", 3),
	[4] = ARCH_REG("tp", 4), [5] = ARCH_REG("t0", 5), [6] = ARCH_REG("t1", 6), [7] = ARCH_REG("t2", 7),
	[8] = ARCH_REG("s0", 8), [9] = ARCH_REG("s1", 9), [10] = ARCH_REG("a0", 10),
	[11] = ARCH_REG("a1", 11), [12] = ARCH_REG("a2", 12), [13] = ARCH_REG("a3", 13),
	[14] = ARCH_REG("a4", 14), [15] = ARCH_REG("a5", 15), [16] = ARCH_REG("a6", 16),
	[17] = ARCH_REG("a7", 17), [18] = ARCH_REG("s2", 18), [19] = ARCH_REG("s3", 19),
	[20] = ARCH_REG("s4", 20), [21] = ARCH_REG("s5", 21), [22] = ARCH_REG("s6", 22),
	[23] = ARCH_REG("s7", 23), [24] = ARCH_REG("s8", 24), [25] = ARCH_REG("s9", 25),
	[26] = ARCH_REG("s10", 26), [27] = ARCH_REG("s11", 27), [28] = ARCH_REG("t3", 28),
	[29] = ARCH_REG("t4", 29), [30] = ARCH_REG("t5", 30), [31] = ARCH_REG("t6", 31),
};
static const char *const unames[] = { "riscv64", "riscv32", "riscv", NULL };

/* "vendor-arch-implementation" */
static void cpu_ident(const char *cpuinfo, arch_emit *emit, void *ctx)
{
	char vendor[64], arch[64], implementation[64], ident[256];

	if (!cpuinfo_word(cpuinfo, "mvendorid", vendor, sizeof(vendor)) ||
	    !cpuinfo_word(cpuinfo, "marchid", arch, sizeof(arch)) ||
	    !cpuinfo_word(cpuinfo, "mimpid", implementation, sizeof(implementation)))
		return;
	snprintf(ident, sizeof(ident), "%s-%s-%s", vendor, arch, implementation);
	emit(ctx, ident);
}

const struct arch arch_riscv = {
	.name = "riscv",
	.uname = unames,
	.abi[1] = {
		.e_machine = EM_RISCV, .word = 8,
		.dwarf_sp = 2, .dwarf_fp = 8, .fp_record = -16, .dwarf_ra = 1, .dwarf_ip = ARCH_NO_REG,
		.ip_mask = UINT64_MAX, .jump_slot = 5 /* R_RISCV_JUMP_SLOT */, .irelative = 58,
		.plt_header = 32, .plt_entry = 16,
	},
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 0,
	.reg_sp = 2,
	.user_regs_default = 0xffffffff,
	.mapping_symbols = true,
	.model_key = "uarch",
	.cpu_ident = cpu_ident,
};
