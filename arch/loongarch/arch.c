/* loongarch: registers in the order of <asm/perf_regs.h>. */
#include "../arch.h"

#include <elf.h>

static const char *const regs[] = {
	[0] = "PC", [1] = "%r1", [2] = "%r2", [3] = "%r3", [4] = "%r4", [5] = "%r5", [6] = "%r6",
	[7] = "%r7", [8] = "%r8", [9] = "%r9", [10] = "%r10", [11] = "%r11", [12] = "%r12",
	[13] = "%r13", [14] = "%r14", [15] = "%r15", [16] = "%r16", [17] = "%r17", [18] = "%r18",
	[19] = "%r19", [20] = "%r20", [21] = "%r21", [22] = "%r22", [23] = "%r23", [24] = "%r24",
	[25] = "%r25", [26] = "%r26", [27] = "%r27", [28] = "%r28", [29] = "%r29", [30] = "%r30",
	[31] = "%r31",
};
static const char *const unames[] = { "loongarch64", "loongarch32", NULL };

const struct arch arch_loongarch = {
	.e_machine = 258,	/* EM_LOONGARCH, which older <elf.h> lacks */
	.name = "loongarch",
	.uname = unames,
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 0,
	.reg_sp = 3,
	.user_regs_default = 0xffffffff,
};
