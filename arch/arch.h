/*
 * Arch: what differs between CPU architectures, as rows keyed by ELF e_machine. All rows are always linked, because data may come
 * from another machine. Const.
 */
#ifndef PERF_ARCH_ARCH_H
#define PERF_ARCH_ARCH_H

#include <stddef.h>
#include "../util/base/types.h"

struct arch {
	u16 e_machine;			/* EM_* of the 64-bit form */
	u16 e_machine32;		/* EM_* of the 32-bit form, 0: none of its own */
	const char *name;		/* "x86", "arm64" */
	const char *const *uname;	/* names uname -m may have, NULL-terminated */
	const char *const *reg;		/* perf register number (bit of sample_regs_*) to name; NULL holes */
	u32 nr_regs;
	u32 reg_ip, reg_sp;		/* numbers of instruction and stack pointer */
	u64 user_regs_default;		/* what --call-graph dwarf samples: general registers */
	u64 chain_regs;			/* sampled with chains by frame pointer: a leaf function has its caller in no frame, but here */
	/* bytes of the instruction at p, of which nr may be read; 0: none, or cut. NULL: not known */
	int (*insn_len)(const u8 *p, size_t nr, bool is64);
	u64 intr_regs_extra;		/* registers that only the kernel of a CPU with them gives (XMM, SVE VG): probed before use */
};

/* for insn_len where all are 4 bytes */
int arch_insn_len4(const u8 *p, size_t nr, bool is64);

#define ARCH(name) extern const struct arch arch_##name;
#include "arch.def"
#undef ARCH

/* NULL where unknown */
const struct arch *arch_by_machine(u16 e_machine);
/* by uname -m, as the header feature "arch" has it: "x86_64", "i686", "aarch64", "armv7l", ... */
const struct arch *arch_by_uname(const char *machine);
/* of this program */
const struct arch *arch_native(void);
/* "AX"; NULL where the architecture has none at that number */
const char *arch_reg_name(const struct arch *a, u32 nr);

#endif
