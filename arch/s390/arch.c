/* s390: registers in the order of <asm/perf_regs.h>. */
#include "../arch.h"

#include <elf.h>

static const char *const regs[] = {
	[0] = "R0", [1] = "R1", [2] = "R2", [3] = "R3", [4] = "R4", [5] = "R5", [6] = "R6",
	[7] = "R7", [8] = "R8", [9] = "R9", [10] = "R10", [11] = "R11", [12] = "R12",
	[13] = "R13", [14] = "R14", [15] = "R15", [16] = "FP0", [17] = "FP1", [18] = "FP2",
	[19] = "FP3", [20] = "FP4", [21] = "FP5", [22] = "FP6", [23] = "FP7", [24] = "FP8",
	[25] = "FP9", [26] = "FP10", [27] = "FP11", [28] = "FP12", [29] = "FP13", [30] = "FP14",
	[31] = "FP15", [32] = "MASK", [33] = "PC",
};
static const char *const unames[] = { "s390x", "s390", NULL };

const struct arch arch_s390 = {
	.e_machine = EM_S390,
	.name = "s390",
	.uname = unames,
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 33,
	.reg_sp = 15,
	.user_regs_default = 0x3ffffffff,
};
