/*
 * Call-regs-types: where the arguments of a system call are in the registers of a task, and which calls are
 * those of 32-bit programs: a member of the constants of each program that includes call-regs.bpf.h.
 */
#ifndef PERF_BPF_CALL_REGS_TYPES_H
#define PERF_BPF_CALL_REGS_TYPES_H

#include "../base/types.h"

#define CALL_REGS_ARGS 6u
#define CALL_REGS_SIZE_MAX 272u

/*
 * Where the registers of the arguments are in the struct pt_regs that the tracepoint passes: of arm64 and
 * x86-64 it begins like the struct of that name in their asm/ptrace.h.
 */
struct call_regs {
	u16 e_machine;
	u16 size;		/* how much of the struct is read */
	u16 arg[CALL_REGS_ARGS], compat_arg[CALL_REGS_ARGS];
	u16 sp;
	u16 compat_at;		/* a 32-bit program has compat_value in the bits compat_mask there */
	u32 compat_mask, compat_value;
	/*
	 * An instruction of 2 bytes by which 64-bit programs, too, make calls of 32-bit ones; 0: none. The
	 * usual instruction leaves the address after it, which is at next_at, in next_copy as well
	 */
	u16 compat_insn, next_at, next_copy;
	u16 ordered_stores;	/* CPUs see stores of other CPUs in order */
};

#endif
