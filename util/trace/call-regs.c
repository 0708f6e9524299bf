/* Call-regs: see call-regs.h. */
#include "call-regs.h"
#include "../base/units.h"

#include <elf.h>

static const struct call_regs all_regs[] = {
	{ .e_machine = EM_X86_64, .size = 168, .arg = { 112, 104, 96, 56, 72, 64 },
	  .compat_arg = { 40, 88, 96, 104, 112, 32 }, .sp = 152,
	  /* cs is the segment of 32-bit code */
	  .compat_at = 136, .compat_mask = 0xffff, .compat_value = 0x23,
	  /* int 0x80; the instruction syscall leaves its return address in rcx */
	  .compat_insn = 0x80cd, .next_at = 128, .next_copy = 88, .ordered_stores = true },
	{ .e_machine = EM_AARCH64, .size = 272, .arg = { 0, 8, 16, 24, 32, 40 },
	  .compat_arg = { 0, 8, 16, 24, 32, 40 }, .sp = 248,
	  /* pstate says that the processor is in its 32-bit mode */
	  .compat_at = 264, .compat_mask = 0x10, .compat_value = 0x10 },
};

const struct call_regs *call_regs_of(u16 e_machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(all_regs); i++)
		if (all_regs[i].e_machine == e_machine)
			return &all_regs[i];
	return NULL;
}
