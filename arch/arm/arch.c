/* arm: registers in the order of <asm/perf_regs.h>. */
#include "../arch.h"

#include <elf.h>

static const char *const regs[] = {
	[0] = "r0", [1] = "r1", [2] = "r2", [3] = "r3", [4] = "r4", [5] = "r5", [6] = "r6",
	[7] = "r7", [8] = "r8", [9] = "r9", [10] = "r10", [11] = "fp", [12] = "ip", [13] = "sp",
	[14] = "lr", [15] = "pc",
};
static const char *const unames[] = { "armv5l", "armv6l", "armv7l", "armv8l", "arm", NULL };

const struct arch arch_arm = {
	.e_machine = EM_ARM,
	.name = "arm",
	.uname = unames,
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 15,
	.reg_sp = 13,
	.user_regs_default = 0xffff,
};
