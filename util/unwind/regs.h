/* Regs: which DWARF register each perf register is, for the machines whose stacks can be unwound. Const rows. */
#ifndef PERF_UNWIND_REGS_H
#define PERF_UNWIND_REGS_H

#include "../base/types.h"

#define UNWIND_NO_REG 0xff

struct unwind_regs {
	u16 e_machine;
	u8 word;		/* bytes */
	u8 nr;			/* perf registers in dwarf[] */
	u8 ip, sp;		/* perf numbers */
	u8 dwarf_sp, dwarf_fp;
	s8 fp_record;		/* from where the frame pointer points to the caller's, which the return address follows */
	u8 dwarf_ra;		/* column of the return address where no rule says */
	u8 dwarf_ip;		/* column that stands for the address of the frame itself */
	u64 ip_mask;		/* bits of an instruction address: pointer authentication uses others */
	const u8 *dwarf;	/* perf number -> DWARF number, UNWIND_NO_REG: none */
};

/* abi: PERF_SAMPLE_REGS_ABI_*; NULL where such a stack cannot be unwound */
const struct unwind_regs *unwind_regs_find(u16 e_machine, u64 abi);

#endif
