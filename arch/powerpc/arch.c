/* powerpc: registers in the order of <asm/perf_regs.h>. */
#include "../arch.h"

#include <elf.h>

static const char *const regs[] = {
	[0] = "r0", [1] = "r1", [2] = "r2", [3] = "r3", [4] = "r4", [5] = "r5", [6] = "r6",
	[7] = "r7", [8] = "r8", [9] = "r9", [10] = "r10", [11] = "r11", [12] = "r12",
	[13] = "r13", [14] = "r14", [15] = "r15", [16] = "r16", [17] = "r17", [18] = "r18",
	[19] = "r19", [20] = "r20", [21] = "r21", [22] = "r22", [23] = "r23", [24] = "r24",
	[25] = "r25", [26] = "r26", [27] = "r27", [28] = "r28", [29] = "r29", [30] = "r30",
	[31] = "r31", [32] = "nip", [33] = "msr", [34] = "orig_r3", [35] = "ctr", [36] = "link",
	[37] = "xer", [38] = "ccr", [39] = "softe", [40] = "trap", [41] = "dar", [42] = "dsisr",
	[43] = "sier", [44] = "mmcra", [45] = "mmcr0", [46] = "mmcr1", [47] = "mmcr2",
	[48] = "mmcr3", [49] = "sier2", [50] = "sier3", [51] = "pmc1", [52] = "pmc2",
	[53] = "pmc3", [54] = "pmc4", [55] = "pmc5", [56] = "pmc6", [57] = "sdar", [58] = "siar",
};
static const char *const unames[] = { "ppc64", "ppc64le", "ppc", NULL };

/* the performance monitor's own registers (mmcr0 and above) depend on the CPU */
const struct arch arch_powerpc = {
	.e_machine = EM_PPC64,
	.e_machine32 = EM_PPC,
	.name = "powerpc",
	.uname = unames,
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 32,
	.reg_sp = 1,
	.user_regs_default = (1ull << 45) - 1,
	.intr_regs_extra = ((1ull << 59) - 1) & ~((1ull << 45) - 1),
};
