/* mips: registers in the order of <asm/perf_regs.h>. */
#include "../arch.h"

#include <elf.h>

static const char *const regs[] = {
	[0] = "PC", [1] = "$1", [2] = "$2", [3] = "$3", [4] = "$4", [5] = "$5", [6] = "$6",
	[7] = "$7", [8] = "$8", [9] = "$9", [10] = "$10", [11] = "$11", [12] = "$12",
	[13] = "$13", [14] = "$14", [15] = "$15", [16] = "$16", [17] = "$17", [18] = "$18",
	[19] = "$19", [20] = "$20", [21] = "$21", [22] = "$22", [23] = "$23", [24] = "$24",
	[25] = "$25", [26] = "$26", [27] = "$27", [28] = "$28", [29] = "$29", [30] = "$30",
	[31] = "$31",
};
static const char *const unames[] = { "mips64", "mips", NULL };

/* $26 and $27 belong to the kernel and are never sampled */
const struct arch arch_mips = {
	.e_machine = EM_MIPS,
	.name = "mips",
	.uname = unames,
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 0,
	.reg_sp = 29,
	.user_regs_default = 0xffffffff & ~(3ull << 26),
};
