/* arm64: registers in the order of <asm/perf_regs.h>. */
#include "../arch.h"

#include <elf.h>

static const char *const regs[] = {
	[0] = "x0", [1] = "x1", [2] = "x2", [3] = "x3", [4] = "x4", [5] = "x5", [6] = "x6",
	[7] = "x7", [8] = "x8", [9] = "x9", [10] = "x10", [11] = "x11", [12] = "x12",
	[13] = "x13", [14] = "x14", [15] = "x15", [16] = "x16", [17] = "x17", [18] = "x18",
	[19] = "x19", [20] = "x20", [21] = "x21", [22] = "x22", [23] = "x23", [24] = "x24",
	[25] = "x25", [26] = "x26", [27] = "x27", [28] = "x28", [29] = "x29", [30] = "lr",
	[31] = "sp", [32] = "pc", [46] = "vg",
};
static const char *const unames[] = { "aarch64", "arm64", NULL };

/* VG, the SVE vector length, only where the CPU has SVE */
const struct arch arch_arm64 = {
	.e_machine = EM_AARCH64,
	.name = "arm64",
	.uname = unames,
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.insn_len = arch_insn_len4,
	.reg_ip = 32,
	.reg_sp = 31,
	.user_regs_default = 0x1ffffffff,
	.chain_regs = 1ull << 30,
	.intr_regs_extra = 1ull << 46,
};
