/*
 * Type-flow: which type of data each instruction of a function accesses, and at which offset in it: from
 * the places of variables in DWARF, and by following pointers through registers from instruction to
 * instruction, also through jump tables and into parts of the function elsewhere. What is not certain is
 * unknown: nothing is followed where a jump may go to places that were not found, and two ways with
 * different types meet as unknown.
 */
#ifndef PERF_OBJ_TYPE_FLOW_H
#define PERF_OBJ_TYPE_FLOW_H

#include "cfi.h"
#include "disasm.h"
#include "dwarf-types.h"
#include "elf-image.h"
#include "kernel-patches.h"

enum access_why {
	ACCESS_TYPED,
	ACCESS_NONE,		/* the instruction accesses no memory */
	ACCESS_STACK,		/* it pushes or pops, calls or returns */
	ACCESS_NO_DEBUG,	/* the file, or the function, has no debug information */
	ACCESS_NO_CODE,		/* the instruction was not found, or not decoded */
	ACCESS_NO_VARIABLE,	/* nothing is known of the address */
	ACCESS_BAD_OFFSET,	/* what is known of the address does not have the offset, or not that size */
};
/* "no_var": short names, which scripts read */
const char *access_why_name(enum access_why why);

struct access {
	u64 addr;		/* of the instruction, as linked */
	u32 type;		/* TYPE_NONE if it is not typed */
	u32 off;
	u8 insn_size;
	u8 why;			/* enum access_why */
	/* a conditional jump that the CPU runs as one with the comparison before it, whose access it has */
	bool fused;
	char mnemonic[16];
};
struct accesses {
	VEC(struct access);	/* by address */
};

struct type_flow {
	struct dwarf_types *types;	/* NULL: the file has no debug information */
	struct cfi *cfi;		/* NULL: no frames, so variables on the stack are not found */
	struct elf_image *image;	/* NULL: jump tables, and parts elsewhere, are not read */
	struct disasm *disasm;
	const struct arch_abi *abi;
	bool fixed;			/* the file is loaded at the addresses for which it is linked */
	/*
	 * the code is changed while it runs: not all jumps are seen in it. NULL with patched: where that is,
	 * is not known
	 */
	bool patched;
	const struct kernel_patches *patches;
};

/* the accesses of a function: nr bytes of code at svma. Release them with vec_release() */
void type_flow_run(const struct type_flow *t, const u8 *code, size_t nr, u64 svma, struct accesses *ret);

#endif
