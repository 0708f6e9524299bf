/*
 * Arch: what differs between CPU architectures, as rows keyed by ELF e_machine. All rows are always linked,
 * because data may come from another machine. Callers look a row up or loop over all; none names an
 * architecture. Const.
 */
#ifndef PERF_ARCH_ARCH_H
#define PERF_ARCH_ARCH_H

#include <stddef.h>
#include "../util/base/types.h"

#define ARCH_NO_REG 0xff
#define ARCH_REG_NAME 16	/* bytes of the name of a register, and of a buffer for it */
#define ARCH_DWARF_REGS 33	/* DWARF register numbers below this are followed from frame to frame */

/*
 * a register, by its number in <asm/perf_regs.h>, which is its bit in sample_regs_*; name "": an unused
 * number
 */
struct arch_reg {
	char name[ARCH_REG_NAME];
	/* DWARF number in 32-bit and in 64-bit programs; ARCH_NO_REG: no frame rule uses it */
	u8 dwarf[2];
};

/* a register with the same DWARF number in programs of both sizes, and one without a number */
#define ARCH_REG(name, dwarf) { name, { (dwarf) + FITS(name, ARCH_REG_NAME), dwarf } }
#define ARCH_NAME(name) ARCH_REG(name, ARCH_NO_REG)

/* an entry of a PLT: the code [svma, svma + size) jumps through the slot at got */
typedef void arch_plt_entry(void *ctx, u64 svma, u64 size, u64 got);

/* the bytes of a section with PLT entries */
struct arch_plt_code {
	const u8 *p;
	size_t size;
	u64 svma;
	bool big_endian;	/* the file is */
	u64 gotplt;		/* DT_PLTGOT, for entries that are relative to it */
	u64 got;		/* address of the section .got, for the same; 0: there is none */
};

/* what a relocation does to the bytes at its place; value: symbol and addend */
enum arch_reloc_action {
	RELOC_SET,
	RELOC_RELATIVE,			/* value - own address */
	RELOC_ADD, RELOC_SUB,		/* to and from the present value */
	RELOC_SET6, RELOC_SUB6,		/* the lower six bits of a byte */
	RELOC_SET_ULEB, RELOC_SUB_ULEB,	/* a number as long as the present one */
};

struct arch_reloc {
	u16 type;			/* R_* of the psABI */
	u8 bytes;
	u8 action;			/* enum arch_reloc_action */
};

/* another name of a register: as users and samples say, and as the kernel's probes do; both in lower case */
struct arch_alias {
	const char *name, *kernel;
};

/* the programs of one word size */
struct arch_abi {
	u16 e_machine;		/* EM_* of their files; 0: there are no such programs */
	u8 word;		/* bytes */

	/* frames; if dwarf_ra is 0, stacks are not unwound */
	u8 dwarf_sp, dwarf_fp;	/* dwarf_fp ARCH_NO_REG: code without frame rules ends the chain */
	/*
	 * offset from the address in the frame pointer to the caller's frame pointer, after which the
	 * return address is
	 */
	s8 fp_record;
	u8 dwarf_ra;		/* column of the return address if no rule gives one */
	u8 dwarf_ip;		/* DWARF column of the address of the frame itself, or ARCH_NO_REG */
	/* DWARF registers whose values a call may change, as bits, and the one that has what it returns */
	u64 call_clobbers;
	u8 dwarf_result;
	bool stack_calls;	/* a call pushes the return address */
	/* bits of an instruction address: pointer authentication and instruction sets use others */
	u64 ip_mask;

	/*
	 * relocation types that fill a slot of the global offset table: for a lazily bound function, for an
	 * address, for a function chosen at run time; jump_slot 0: names of PLT entries are not found
	 */
	u16 jump_slot, glob_dat, irelative;
	u16 relative;		/* of a pointer into the file itself; 0: not known */
	/* finds the entries by decoding them; NULL: entries are in the order of the jump-slot relocations */
	void (*plt_walk)(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx);
	u16 plt_header, plt_entry;	/* bytes; 0: .plt has no code */
	/* a further section with entries, and what finds them: ".text": among other code; NULL: none */
	const char *stub_section;
	void (*stub_walk)(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx);
	bool stub_symbols;	/* it emits the index of a dynamic symbol, not the address of a slot */
	/* symbol and type of a relocation; NULL: in r_info as usual */
	void (*reloc_info)(u64 info, bool big_endian, u32 *ret_symbol, u32 *ret_type);
	/* relocations of debug sections and frame tables in object files and modules */
	const struct arch_reloc *reloc;
	u32 nr_relocs;			/* 0: not known */

	/* registers of the first arguments of a call, as the kernel's probes spell them; the rest NULL */
	const char *arg_reg[8];
	bool stack_args;		/* further arguments are on the stack, after the return address */
	bool near_tables;		/* compilers read tables of addresses just before the jump */
	/* the machine for objdump -m: in files of 32 and of 64 bits with this e_machine; NULL: not known */
	const char *objdump[2];
};

/* what an instruction does with the flow of control, and an instruction by the name that objdump prints */
enum arch_branch { ARCH_NO_BRANCH, ARCH_CALL, ARCH_JUMP, ARCH_RETURN };
typedef enum arch_branch arch_branch_of(const char *mnemonic);

/* where an instruction continues, other than at the next one */
enum arch_flow_kind {
	ARCH_FLOW_NONE, ARCH_FLOW_JCC, ARCH_FLOW_JMP, ARCH_FLOW_CALL,	/* to a known distance */
	ARCH_FLOW_JMP_INDIRECT, ARCH_FLOW_CALL_INDIRECT, ARCH_FLOW_RET,
	/* transfers that change more than the address */
	ARCH_FLOW_SYSCALL, ARCH_FLOW_SYSRET, ARCH_FLOW_INT, ARCH_FLOW_IRET, ARCH_FLOW_VM, ARCH_FLOW_FAR,
	ARCH_FLOW_PTWRITE,	/* not a transfer: writes a number into an Intel PT trace */
	/* not transfers, but traces of Arm have them: a barrier, and waiting for an event */
	ARCH_FLOW_BARRIER, ARCH_FLOW_WAIT,
};
struct arch_flow {
	u8 len, kind;
	s64 distance;		/* of JCC, JMP and CALL, from the next instruction */
};

/* gets one identity of a CPU; the text belongs to the caller */
typedef void arch_emit(void *ctx, const char *ident);

struct arch {
	const char *name;		/* "x86", "arm64" */
	const char *const *uname;	/* names that uname -m may print, NULL-terminated */
	struct arch_abi abi[2];		/* of 32-bit and of 64-bit programs: [PERF_SAMPLE_REGS_ABI_* - 1] */

	const struct arch_reg *reg;
	u32 nr_regs;
	/*
	 * the DWARF number that ARCH_DWARF_REGS - 1 stands for in reg[].dwarf and abi[]; 0: it
	 * stands for itself
	 */
	u8 dwarf_high;
	u32 reg_ip, reg_sp;		/* numbers of instruction and stack pointer */
	u64 user_regs_default;		/* what --call-graph dwarf samples: general registers */
	/*
	 * sampled with call chains by frame pointers: a leaf function's caller is not in any
	 * frame, but in these
	 */
	u64 chain_regs;
	/*
	 * the one that has the first argument of a system call of a 64-bit program, as long as the call is in
	 * progress; 0: it has another value then
	 */
	u64 call_arg_reg;
	/* registers that only the kernel of a CPU with them has (XMM, SVE VG): probed before use */
	u64 intr_regs_extra;
	/* names by which the kernel's probes know registers; alias ends with a name NULL; each may be NULL */
	const struct arch_alias *alias;
	void (*spell_reg)(char name[ARCH_REG_NAME]);	/* changes a name in lower case in place */
	void (*whole_reg)(char name[ARCH_REG_NAME]);	/* of a part of a register ("r8d", "w0"), in place */

	u16 compat_machine;	/* EM_* of 32-bit programs that it runs, if they are another row's; 0 */
	u8 insn_align;		/* bytes: instructions begin at multiples of it */
	bool two_syntaxes;	/* disassemblers write Intel's and AT&T's */
	arch_branch_of *branch_of;	/* NULL: not known */
	bool peer_snoops;	/* samples name the cache of a line, not whether it was modified there */
	/*
	 * length in bytes of the instruction at p, of which nr bytes may be read; 0: it is invalid or cut.
	 * NULL: not known
	 */
	int (*insn_len)(const u8 *p, size_t nr, bool is64);
	/* the length and where it continues; false: it is invalid or cut. NULL: not known */
	bool (*insn_flow)(const u8 *p, size_t nr, bool is64, struct arch_flow *ret);
	/* bits of a function symbol's value that are its address; 0: all of them */
	u64 code_mask;
	/* symbols that begin with $ mark where code and data begin, and are not names */
	bool mapping_symbols;

	const char *model_key;		/* line of /proc/cpuinfo that names the CPU */
	/*
	 * Emits the texts by which vendors' mapfile.csv names the CPUs, one per kind of CPU; nothing if this
	 * is not such a machine, which is judged by the files there are. NULL: such CPUs have no identity.
	 * cpuinfo is the text of /proc/cpuinfo.
	 */
	void (*cpu_ident)(const char *cpuinfo, arch_emit *emit, void *ctx);
	/*
	 * the identity as the header of a file has it; false: the CPU is not of this kind. NULL: the first
	 * identity is used
	 */
	bool (*cpu_id)(const char *cpuinfo, char *buf, size_t size);
	/*
	 * how many counters each CPU of this machine has for arbitrary events; 0: not known. NULL if perf
	 * does not run on such machines
	 */
	u32 (*nr_counters)(void);
};

/* branch_of for architectures that branch by b and bl */
arch_branch_of arch_branch_b;
/* insn_len for architectures whose instructions all have 4 bytes */
int arch_insn_len4(const u8 *p, size_t nr, bool is64);

#define ARCH(name) extern const struct arch arch_##name;
#include "arch.def"
#undef ARCH

/* all rows, in the order of arch.def; NULL after the last one */
const struct arch *arch_row(size_t i);
/* NULL where unknown */
const struct arch *arch_by_machine(u16 e_machine);
/* by uname -m, as in the header feature "arch": "x86_64", "i686", "aarch64", "armv7l", ... */
const struct arch *arch_by_uname(const char *machine);
/* the architecture of this program */
const struct arch *arch_native(void);
/* the kind of programs that a file belongs to, by its header; NULL if unknown */
const struct arch_abi *arch_abi_of_file(u16 e_machine, bool is64);
/* the kind of programs of a sample if their stacks can be unwound, else NULL; abi: PERF_SAMPLE_REGS_ABI_* */
const struct arch_abi *arch_abi_unwound(const struct arch *a, u64 abi);
/* "AX"; NULL if the architecture has no register of that number */
const char *arch_reg_name(const struct arch *a, u32 nr);
/* the registers of a sample: those of the mask, lowest first; arch may be NULL */
struct reg_walk {
	const struct arch *arch;
	u64 left;		/* the mask; without those that were returned */
	const u64 *value;	/* of the first in left */
	u32 nr;			/* number and name (or NULL) of the one that was returned last */
	const char *name;
};
/* false after the last one */
bool reg_walk_next(struct reg_walk *w, u64 *ret_value);

#endif
