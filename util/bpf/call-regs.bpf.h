/*
 * Call-regs.bpf: which system calls are those of 32-bit programs. A program that includes this defines
 * `settings`, with a member `regs`, before it.
 */
#ifndef PERF_BPF_CALL_REGS_BPF_H
#define PERF_BPF_CALL_REGS_BPF_H

#include "call-regs-types.h"
#include "common.bpf.h"

/* sizes have 64 bits: clang cuts others to 32 bits, and the verifier forgets what they can be */
static long (*const read_kernel)(void *to, u64 size, u64 from) = (void *)BPF_FUNC_probe_read_kernel;
static long (*const read_user)(void *to, u64 size, u64 from) = (void *)BPF_FUNC_probe_read_user;
static long (*const read_user_str)(void *to, u64 size, u64 from) = (void *)BPF_FUNC_probe_read_user_str;

/* regs: a copy of struct pt_regs without its first bytes; what tells the kind of call is there */
static __always_inline bool is_compat(const void *regs, u32 first)
{
	u64 next;
	u16 insn = 0;

	if ((*(const u32 *)(regs + (settings.regs.compat_at - first)) & settings.regs.compat_mask) ==
	    settings.regs.compat_value)
		return true;
	if (!settings.regs.compat_insn)
		return false;
	next = *(const u64 *)(regs + (settings.regs.next_at - first));
	if (*(const u64 *)(regs + (settings.regs.next_copy - first)) == next)
		return false;
	/* another instruction, or a processor that leaves the register alone (FRED) */
	read_user(&insn, sizeof(insn), next - sizeof(insn));
	return insn == settings.regs.compat_insn;
}

#endif
