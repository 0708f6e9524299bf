/*
 * Call-regs: where the arguments of a system call are in the registers of a task, and which calls are those
 * of 32-bit programs; for BPF programs.
 */
#ifndef PERF_TRACE_CALL_REGS_H
#define PERF_TRACE_CALL_REGS_H

#include "../bpf/code.h"

#define CALL_REGS_ARGS 6u

/*
 * Where the registers of the arguments are in the struct pt_regs that the tracepoint passes: of arm64 and
 * x86-64 it begins like the struct of that name in their asm/ptrace.h.
 */
struct call_regs {
	u16 e_machine;
	u16 size;		/* how much of the struct is read */
	u16 arg[CALL_REGS_ARGS], compat_arg[CALL_REGS_ARGS];
	u16 compat_at;		/* a 32-bit program has compat_value in the bits compat_mask there */
	u32 compat_mask, compat_value;
	/*
	 * An instruction of 2 bytes by which 64-bit programs, too, make calls of 32-bit ones; 0: none. The
	 * usual instruction leaves the address after it, which is at next_at, in next_copy as well
	 */
	u16 compat_insn, next_at, next_copy;
	bool ordered_stores;	/* CPUs see those of others in their order */
};

/* NULL: another architecture */
const struct call_regs *call_regs_of(u16 e_machine);

/*
 * Code: goes to `native` unless the call, whose registers are in the frame from `at` on, is one of 32-bit
 * programs. The 8 bytes of the frame at `word` are lost
 */
void write_is_compat(struct bpf_code *c, const struct call_regs *regs, s16 at, s16 word, u32 native);

#endif
