/*
 * Wall-stack.bpf: the stack of the current task for wall-switches.bpf.c, which defines `settings` before it is
 * included. To unwind stacks takes several times as long as all else, so it is done where it must be: a
 * kernel's stack that was seen before is only compared, and a program's is walked in a copy.
 */
#ifndef PERF_BPF_WALL_STACK_BPF_H
#define PERF_BPF_WALL_STACK_BPF_H

#include "common.bpf.h"
#include "wall-switches-types.h"

#define SKIPPED 2		/* innermost frames of the kernel: the program, and what runs it */
#define LOWEST_FRAME 4096	/* the first page is never mapped */

/* by length of the stack and system call */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WALL_NR_KEPT);
	__type(key, u32);
	__type(value, struct wall_kept);
} kept SEC(".maps");

/* numbers in memory are read again: else the verifier follows what comes for each value that one can have */
#define forget() barrier()

/* a register of the program: offset in struct pt_regs */
static __always_inline u64 reg(const struct wall_room *r, u32 offset)
{
	return offset / sizeof(u64) < WALL_REG_WORDS ? r->regs[offset / sizeof(u64)] : 0;
}

static __always_inline void copy_registers(u64 regs, struct wall_room *r)
{
	u32 cs = settings.regs_cs / sizeof(u64);

	if (settings.user_cs && bpf_probe_read_kernel(r->regs, sizeof(r->regs), (const void *)regs) &&
	    cs < WALL_REG_WORDS)
		r->regs[cs] = 0;	/* of no program */
}

/* registers are those of a 64-bit program */
static __always_inline bool is_program(const struct wall_room *r)
{
	return settings.user_cs && (u16)reg(r, settings.regs_cs) == settings.user_cs;
}

/* the words of the stack from ctx on, which is on it, to the registers of the program at its end; 0: none */
static __always_inline u32 copy_kernel_stack(const u64 *ctx, u64 regs, struct wall_room *r)
{
	u64 bytes = regs - (u64)ctx;

	if (bytes > sizeof(r->kernel))
		bytes = sizeof(r->kernel);
	bytes &= ~7ull;
	if (!bytes || bpf_probe_read_kernel(r->kernel, bytes, ctx))
		return 0;
	return bytes / sizeof(u64);
}

/*
 * The frames of a kept stack, if all of its return addresses are where they were: then each function has the
 * frame that it had, and there is no room for others between them. 0: they are not
 */
static __always_inline u32 same_stack(const struct wall_kept *k, u32 words, struct wall_room *r)
{
	u32 nr = k->nr;

	for (u32 i = 0; i < WALL_KEPT_FRAMES && i < nr; i++) {
		u32 word = k->word[i];

		if (word >= words || word >= WALL_KERNEL_WORDS || r->kernel[word] != k->ip[i])
			return 0;
		r->s.ip[i] = k->ip[i];
	}
	return nr;
}

/* keeps a stack that was unwound, if each return address is found */
static __always_inline void keep_stack(struct wall_kept *k, u32 words, struct wall_room *r)
{
	u32 nr = r->s.nr_kernel;

	k->nr = 0;
	for (u32 i = 0; i < WALL_KERNEL_WORDS && i < words; i++) {
		u32 at;

		forget();
		at = k->nr;
		if (at >= WALL_KEPT_FRAMES || at >= nr)
			break;
		if (r->kernel[i] != r->s.ip[at])
			continue;
		k->word[at] = i;
		k->ip[at] = r->kernel[i];
		k->nr = at + 1;
	}
	if (k->nr != nr)
		k->nr = 0;
}

static __always_inline void unwind_kernel(u64 *ctx, struct wall_room *r)
{
	s64 n = bpf_get_stack(ctx, r->s.ip, WALL_MAX_KERNEL * sizeof(u64), SKIPPED);

	r->s.nr_kernel = n > 0 ? n / sizeof(u64) : 0;
}

/* after those of the kernel */
static __always_inline void unwind_program(u64 *ctx, struct wall_room *r)
{
	u64 nr = r->s.nr_kernel;
	s64 n;

	if (nr > WALL_MAX_KERNEL)
		nr = 0;
	n = bpf_get_stack(ctx, &r->s.ip[nr], WALL_MAX_USER * sizeof(u64), BPF_F_USER_STACK);
	r->s.nr_user = n > 0 ? n / sizeof(u64) : 0;
}

static __always_inline void note_kernel_stack(u64 *ctx, u64 regs, struct wall_room *r)
{
	u32 words = copy_kernel_stack(ctx, regs, r), at;
	struct wall_kept *k;

	/* stacks of one length in one system call are mostly the same */
	at = (words * 31 + (u32)reg(r, settings.regs_call)) % WALL_NR_KEPT;
	k = bpf_map_lookup_elem(&kept, &at);
	r->s.nr_kernel = k && words ? same_stack(k, words, r) : 0;
	forget();
	if (r->s.nr_kernel)
		return;
	unwind_kernel(ctx, r);
	if (k && words)
		keep_stack(k, words, r);
	forget();
}

/* a frame of a program: that of its caller, and where it returns to */
struct user_frame {
	u64 next, ip;
};

static __always_inline bool read_frame(const struct wall_room *r, u64 sp, u64 at, struct user_frame *ret)
{
	u64 word = (at - sp) / sizeof(u64);

	/* what is compared below is what is used as index, or the verifier does not see the bound */
	asm volatile("" : "+r"(word));
	/* no frame: damaged, or of code without frame pointers. To fail to read memory takes a microsecond */
	if (at % sizeof(u64) || at < LOWEST_FRAME)
		return false;
	if (word >= WALL_USER_WORDS - 1)
		return !bpf_probe_read_user(ret, sizeof(*ret), (const void *)at);
	ret->next = r->user[word];
	ret->ip = r->user[word + 1];
	return true;
}

/* by frame pointers, as the kernel does it, but most of the stack is copied at once; false: not possible */
static __always_inline bool walk_program(struct wall_room *r)
{
	u64 sp = reg(r, settings.regs_sp), at = reg(r, settings.regs_bp);
	u32 nr = r->s.nr_kernel, i;

	if (!is_program(r) || bpf_probe_read_user(r->user, sizeof(r->user), (const void *)sp))
		return false;
	if (nr >= WALL_MAX_KERNEL)
		nr = WALL_MAX_KERNEL;
	r->s.ip[nr] = reg(r, settings.regs_ip);
	for (i = 1; i < WALL_MAX_USER; i++) {
		struct user_frame f;

		if (!read_frame(r, sp, at, &f))
			break;
		r->s.ip[nr + i] = f.ip;
		at = f.next;
	}
	r->s.nr_user = i;
	forget();
	return true;
}

/* innermost first: frames of the kernel, and those of the program after them */
static __always_inline void note_stack(u64 *ctx, struct wall_room *r)
{
	u64 regs = (u64)bpf_task_pt_regs(bpf_get_current_task_btf());

	copy_registers(regs, r);
	note_kernel_stack(ctx, regs, r);
	if (walk_program(r))
		return;
	unwind_program(ctx, r);
}

#endif
