/* Sample-parse: options of record that ask for something of each sample, from their words. */
#ifndef PERF_OBSERVE_SAMPLE_PARSE_H
#define PERF_OBSERVE_SAMPLE_PARSE_H

#include "../base/err.h"

enum callgraph_mode { CALLGRAPH_NONE, CALLGRAPH_FP, CALLGRAPH_DWARF, CALLGRAPH_LBR };

struct callgraph_opts {
	enum callgraph_mode mode;
	u32 dump_size;		/* dwarf: bytes of stack, multiple of 8; 0: 8192 */
	u32 max_stack;		/* fp,N: maximum number of entries; 0: the kernel's limit */
	bool defer;		/* fp,defer: user part on return to user space */
	/* dwarf,SIZE,fp: also the chain of frame pointers, which continues stacks larger than SIZE */
	bool user_chain;
	bool user_only, kernel_only;	/* --user-callchains, --kernel-callchains */
};

/* "fp[,N][,defer]", "dwarf[,SIZE][,fp]", "lbr", "no"; -EINVAL with err */
int parse_callgraph(const char *s, struct callgraph_opts *ret, struct err *err);
/* -j "any,u,save_type" to PERF_SAMPLE_BRANCH_*; "any" if only privilege levels are given */
int parse_branch_filter(const char *s, u64 *ret, struct err *err);
/*
 * --intr-regs/--user-regs "AX,BX" or "ax" or NULL (all that the kernel provides) to a mask. -EINVAL with err.
 * "?" fills err with the list of names and returns -ECANCELED: the command prints it and ends.
 */
int parse_sample_regs(const char *s, bool intr, u64 *ret_mask, struct err *err);
/* -k: "monotonic", "mono_raw", "CLOCK_BOOTTIME", "tai", "real", ... or a number */
int parse_clockid(const char *s, s32 *ret, struct err *err);
const char *clockid_name(s32 clockid);

#endif
