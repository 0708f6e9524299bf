/* Kernel-calls-code: the instructions of the programs of kernel-calls. */
#ifndef PERF_TRACE_KERNEL_CALLS_CODE_H
#define PERF_TRACE_KERNEL_CALLS_CODE_H

#include "call-regs.h"
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

/* each appends a whole program */
void write_enter(struct bpf_code *c, const struct kernel_calls *k, const struct kernel_calls_opts *o,
		 const struct call_regs *regs);
void write_exit(struct bpf_code *c, const struct kernel_calls *k, const struct kernel_calls_opts *o);

#endif
