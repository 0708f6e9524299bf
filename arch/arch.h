/*
 * Arch: what differs between CPU architectures, as rows keyed by ELF e_machine. All rows are always linked, because data may come
 * from another machine. Callers look a row up or loop over all; none names an architecture. Const.
 */
#ifndef PERF_ARCH_ARCH_H
#define PERF_ARCH_ARCH_H

#include <stddef.h>
#include "../util/base/types.h"

#define ARCH_NO_REG 0xff
#define ARCH_DWARF_REGS 33	/* DWARF register numbers below this are followed from frame to frame */

/* a register, by its number in <asm/perf_regs.h>, which is its bit in sample_regs_*; name NULL: a hole */
struct arch_reg {
	const char *name;
	u8 dwarf[2];		/* DWARF number in 32-bit and in 64-bit programs; ARCH_NO_REG: no frame rule names it */
};

/* one that has the same DWARF number in programs of both sizes, and one that has none */
#define ARCH_REG(name, dwarf) { name, { dwarf, dwarf } }
#define ARCH_NAME(name) ARCH_REG(name, ARCH_NO_REG)

/* an entry of a PLT: code [svma, svma + size) jumps through the slot at got */
typedef void arch_plt_entry(void *ctx, u64 svma, u64 size, u64 got);

/* the bytes of one section of entries */
struct arch_plt_code {
	const u8 *p;
	size_t size;
	u64 svma;
	u64 gotplt;		/* DT_PLTGOT, for entries that are relative to it */
};

/* programs of one word size */
struct arch_abi {
	u16 e_machine;		/* EM_* of their files, 0: there are none */
	u8 word;		/* bytes */

	/* frames; dwarf_ra 0: stacks are not unwound */
	u8 dwarf_sp, dwarf_fp;	/* dwarf_fp ARCH_NO_REG: code without frame rules ends the chain */
	s8 fp_record;		/* from where the frame pointer points to the caller's, which the return address follows */
	u8 dwarf_ra;		/* column of the return address where no rule says */
	u8 dwarf_ip;		/* DWARF column of the address of the frame itself, or ARCH_NO_REG */
	u64 ip_mask;		/* bits of an instruction address: pointer authentication and instruction sets use others */

	/* relocation types that fill a slot of the global offset table: of a lazily bound function, of an address, of a function
	 * chosen at run time; jump_slot 0: names of PLT entries are not found */
	u16 jump_slot, glob_dat, irelative;
	/* how entries are found: by decoding them; else they are in the order of the jump-slot relocations */
	void (*plt_walk)(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx);
	u16 plt_header, plt_entry;	/* bytes */
};

/* takes one identity of a CPU; the text is the caller's */
typedef void arch_emit(void *ctx, const char *ident);

struct arch {
	const char *name;		/* "x86", "arm64" */
	const char *const *uname;	/* names uname -m may have, NULL-terminated */
	struct arch_abi abi[2];		/* of 32-bit and of 64-bit programs: [PERF_SAMPLE_REGS_ABI_* - 1] */

	const struct arch_reg *reg;
	u32 nr_regs;
	u8 dwarf_high;			/* DWARF number that ARCH_DWARF_REGS - 1 stands for in reg[].dwarf and abi[]; 0: itself */
	u32 reg_ip, reg_sp;		/* numbers of instruction and stack pointer */
	u64 user_regs_default;		/* what --call-graph dwarf samples: general registers */
	u64 chain_regs;			/* sampled with chains by frame pointer: a leaf function has its caller in no frame, but here */
	u64 intr_regs_extra;		/* registers that only the kernel of a CPU with them gives (XMM, SVE VG): probed before use */

	/* bytes of the instruction at p, of which nr may be read; 0: none, or cut. NULL: not known */
	int (*insn_len)(const u8 *p, size_t nr, bool is64);
	u64 code_mask;			/* bits of a function symbol's value that are its address; 0: all */
	bool mapping_symbols;		/* symbols that begin with $ mark where code and data begin, and name nothing */

	const char *model_key;		/* line of /proc/cpuinfo that names the CPU */
	/*
	 * The text by which vendors' mapfile.csv names a CPU, once for each kind of CPU; nothing where this is not such a machine:
	 * told by what there is to read. NULL: such CPUs have no identity. cpuinfo is the text of /proc/cpuinfo.
	 */
	void (*cpu_ident)(const char *cpuinfo, arch_emit *emit, void *ctx);
	/* the same as the header of a file has it; false: it is none of these. NULL: its first identity */
	bool (*cpu_id)(const char *cpuinfo, char *buf, size_t size);
	/* how many counters for any event each CPU of this machine has; 0: not known. NULL where perf does not run on such a machine */
	u32 (*nr_counters)(void);
};

/* for insn_len where all are 4 bytes */
int arch_insn_len4(const u8 *p, size_t nr, bool is64);

#define ARCH(name) extern const struct arch arch_##name;
#include "arch.def"
#undef ARCH

/* all rows, in the order of arch.def: NULL behind the last */
const struct arch *arch_row(size_t i);
/* NULL where unknown */
const struct arch *arch_by_machine(u16 e_machine);
/* by uname -m, as the header feature "arch" has it: "x86_64", "i686", "aarch64", "armv7l", ... */
const struct arch *arch_by_uname(const char *machine);
/* of this program */
const struct arch *arch_native(void);
/* the programs that a file belongs to, by its header; NULL where unknown */
const struct arch_abi *arch_abi_of_file(u16 e_machine, bool is64);
/* the programs of a sample, where stacks of such can be unwound, else NULL; abi: PERF_SAMPLE_REGS_ABI_* */
const struct arch_abi *arch_abi_unwound(const struct arch *a, u64 abi);
/* "AX"; NULL where the architecture has none at that number */
const char *arch_reg_name(const struct arch *a, u32 nr);

#endif
