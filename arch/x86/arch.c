/* x86: registers in the order of <asm/perf_regs.h>. */
#include "../arch.h"
#include "insn-len.h"

#include <elf.h>

static const char *const regs[] = {
	[0] = "AX", [1] = "BX", [2] = "CX", [3] = "DX", [4] = "SI", [5] = "DI", [6] = "BP",
	[7] = "SP", [8] = "IP", [9] = "FLAGS", [10] = "CS", [11] = "SS", [12] = "DS",
	[13] = "ES", [14] = "FS", [15] = "GS", [16] = "R8", [17] = "R9", [18] = "R10",
	[19] = "R11", [20] = "R12", [21] = "R13", [22] = "R14", [23] = "R15", [32] = "XMM0",
	[34] = "XMM1", [36] = "XMM2", [38] = "XMM3", [40] = "XMM4", [42] = "XMM5", [44] = "XMM6",
	[46] = "XMM7", [48] = "XMM8", [50] = "XMM9", [52] = "XMM10", [54] = "XMM11",
	[56] = "XMM12", [58] = "XMM13", [60] = "XMM14", [62] = "XMM15",
};
static const char *const unames[] = { "x86_64", "i386", "i486", "i586", "i686", NULL };

/* data segment registers (12 to 15) are not sampled in 64-bit mode; an XMM register is two bits wide, named by its first */
const struct arch arch_x86 = {
	.e_machine = EM_X86_64,
	.e_machine32 = EM_386,
	.name = "x86",
	.uname = unames,
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.insn_len = x86_insn_len,
	.reg_ip = 8,
	.reg_sp = 7,
	.user_regs_default = 0xff0fff,
	.intr_regs_extra = 0xffffffff00000000,
};
