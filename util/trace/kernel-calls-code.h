/* Kernel-calls-code: the instructions of the programs of kernel-calls. */
#ifndef PERF_TRACE_KERNEL_CALLS_CODE_H
#define PERF_TRACE_KERNEL_CALLS_CODE_H

#include "kernel-calls.h"

/* what the kernel keeps of a call until it ends, by thread; state: 1 while the thread is in the call */
struct pending_call {
	u64 enter_ns;
	u64 arg[KERNEL_CALLS_ARGS];
	u32 nr, flags, state, pid;
};

/* bytes of arguments in a record at most; the room of a program to build one */
#define DATA_MAX 1280u
struct call_room {
	struct kernel_call head;
	u8 data[DATA_MAX + sizeof(struct kernel_call_part) + KERNEL_CALLS_ARG_MAX];
	u64 unread;		/* bytes that were written to the ring since its reader was woken */
	u64 lost;		/* records that found no room there */
};

/*
 * Where the registers of the arguments are in the struct pt_regs that the tracepoint passes: of arm64 and
 * x86-64 it begins like the struct of that name in their asm/ptrace.h.
 */
struct call_regs {
	u16 e_machine;
	u16 size;		/* how much of the struct is read */
	u16 arg[KERNEL_CALLS_ARGS], compat_arg[KERNEL_CALLS_ARGS];
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

/* each appends a whole program */
void write_enter(struct bpf_code *c, const struct kernel_calls *k, const struct kernel_calls_opts *o,
		 const struct call_regs *regs);
void write_exit(struct bpf_code *c, const struct kernel_calls *k, const struct kernel_calls_opts *o);

#endif
