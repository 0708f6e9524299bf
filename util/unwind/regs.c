/* Regs: numbers are those of <asm/perf_regs.h> and of each psABI's DWARF register table. */
#include "regs.h"

#include <elf.h>

#define NO UNWIND_NO_REG
#define ABI_32 1
#define ABI_64 2

/* AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS R8-R15 */
static const u8 x86_64[] = { 0, 3, 2, 1, 4, 5, 6, 7, NO, NO, NO, NO, NO, NO, NO, NO, 8, 9, 10, 11, 12, 13, 14, 15 };
static const u8 i386[] = { 0, 3, 1, 2, 6, 7, 5, 4, NO };
/* X0-X29 LR SP PC */
static const u8 arm64[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
			    27, 28, 29, 30, 31, NO };
/* PC RA SP GP TP ... as x1 to x31 */
static const u8 riscv[] = { NO, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
			    28, 29, 30, 31 };

static const struct unwind_regs rows[] = {
	{ EM_X86_64, 8, ARRAY_SIZE(x86_64), 8, 7, 7, 6, 0, 16, 16, UINT64_MAX, x86_64 },
	{ EM_386, 4, ARRAY_SIZE(i386), 8, 7, 4, 5, 0, 8, 8, UINT32_MAX, i386 },
	{ EM_AARCH64, 8, ARRAY_SIZE(arm64), 32, 31, 31, 29, 0, 30, NO, (1ull << 55) - 1, arm64 },
	{ EM_RISCV, 8, ARRAY_SIZE(riscv), 0, 2, 2, 8, -16, 1, NO, UINT64_MAX, riscv },
};

const struct unwind_regs *unwind_regs_find(u16 e_machine, u64 abi)
{
	if (e_machine == EM_X86_64 && abi == ABI_32)
		e_machine = EM_386;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].e_machine == e_machine && abi == (rows[i].word == 4 ? ABI_32 : ABI_64))
			return &rows[i];
	return NULL;
}
