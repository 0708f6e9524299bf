/* Kernel-summary-code: the instructions of the programs of kernel-summary. */
#ifndef PERF_TRACE_KERNEL_SUMMARY_CODE_H
#define PERF_TRACE_KERNEL_SUMMARY_CODE_H

#include "kernel-calls-code.h"
#include "kernel-summary.h"

/* bits of a rule */
#define SUMMARY_WANTED 1u
#define SUMMARY_NO_RETURN 2u

/* a thread's call that goes on */
struct summary_call {
	u64 enter_ns;		/* 0: it is in no call */
	u32 nr, reserved;	/* as in struct kernel_summary_key */
};

/* each appends a whole program */
void summary_write_enter(struct bpf_code *c, const struct kernel_summary *k,
			 const struct kernel_summary_opts *o, const struct call_regs *regs);
void summary_write_exit(struct bpf_code *c, const struct kernel_summary *k,
			const struct kernel_summary_opts *o);

#endif
