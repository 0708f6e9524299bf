/* Kernel-summary-types: what kernel-summary.bpf.c and util/trace/kernel-summary.c share. */
#ifndef PERF_BPF_KERNEL_SUMMARY_TYPES_H
#define PERF_BPF_KERNEL_SUMMARY_TYPES_H

#include "call-regs-types.h"
#include "watched-types.h"

#define SUMMARY_RULES 1024u	/* rules have numbers below it; the last: all other numbers, too */
/* bits of a rule; by the call's number, and for 32-bit programs SUMMARY_RULES more */
#define SUMMARY_WANTED 1u
#define SUMMARY_NO_RETURN 2u

struct kernel_summary_key {
	u64 group;		/* tid, id of a control group, or 0 */
	u32 nr;			/* any number: programs make calls that do not exist */
	u32 part;		/* which count, 0: an entry: KERNEL_SUMMARY_* and a number */
};
#define KERNEL_SUMMARY_BUCKET 0x10000u	/* + bucket of durations */
#define KERNEL_SUMMARY_ERROR 0x20000u	/* + errno */
#define KERNEL_SUMMARY_COMPAT 0x40000u	/* or: of 32-bit programs */

struct kernel_summary_entry {
	u64 calls, errors, timed, total, min, max;
	u64 squares_low, squares_high;	/* the sum of squares of durations, in two halves */
	u64 named_ns;			/* when pid and comm were read */
	u32 pid;
	char comm[16];			/* may lack its NUL */
	u32 reserved;
};

/* a thread's call that goes on */
struct summary_call {
	u64 enter_ns;		/* 0: it is in no call */
	u32 nr, part;		/* as in struct kernel_summary_key */
};

struct kernel_summary_settings {
	struct watched_settings watched;
	struct call_regs regs;
	u32 by_thread, by_cgroup;	/* what group is of a key */
};

#endif
