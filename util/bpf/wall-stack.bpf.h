/*
 * Wall-stack.bpf: the stack of the current task for wall-switches.bpf.c, which defines `settings` before it
 * is included. To unwind stacks takes several times as long as all else, so it is done where it must be: a
 * kernel's stack that was seen before is only compared, and a program's is walked in a copy of the part in
 * which frames were the last time.
 */
#ifndef PERF_BPF_WALL_STACK_BPF_H
#define PERF_BPF_WALL_STACK_BPF_H

#include "common.bpf.h"
#include "wall-switches-types.h"

#define SKIPPED 2		/* innermost frames of the kernel: the program, and what runs it */
#define LOWEST_FRAME 0x400000	/* programs begin there: what is lower is a number, not a frame */

/* by length of the stack and system call */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WALL_NR_KEPT);
	__type(key, u32);
	__type(value, struct wall_kept);
} kept SEC(".maps");

/* numbers in memory are read again: else the verifier follows what comes for each value that one can have */
#define forget() barrier()

/* those that are used. 16 bits of cs: newer kernels have other things beside it */
static __always_inline void copy_registers(const struct pt_regs *regs, struct wall_room *r)
{
	r->is_program = r->call = 0;
	if (!settings.user_cs)
		return;
	r->is_program = load_u16(regs, settings.regs_cs) == settings.user_cs;
	r->ip = load_u64(regs, settings.regs_ip);
	r->sp = load_u64(regs, settings.regs_sp);
	r->bp = load_u64(regs, settings.regs_bp);
	r->call = load_u64(regs, settings.regs_call);
	r->arg = load_u64(regs, settings.regs_arg);
}

/* what is looked at of the stack from ctx on, which is on it, to the registers of the program at its end */
static __always_inline u64 kernel_bytes(const u64 *ctx, u64 regs)
{
	u64 bytes = regs - (u64)ctx;

	if (bytes > WALL_KERNEL_WORDS * sizeof(u64))
		bytes = WALL_KERNEL_WORDS * sizeof(u64);
	return bytes & ~7ull;
}

/* the number of words; 0: that failed */
static __always_inline u32 copy_kernel_stack(const u64 *ctx, u64 regs, struct wall_room *r)
{
	u64 bytes = kernel_bytes(ctx, regs);

	return bpf_probe_read_kernel(r->kernel, bytes, ctx) ? 0 : bytes / sizeof(u64);
}

/* a helper that copies the words takes 50 ns for a short stack */
static __always_inline u64 word_of_stack(const struct wall_room *r, u64 word)
{
	if (settings.word_type)
		return load_u64(typed(r->stack + word * sizeof(u64), settings.word_type), 0);
	return r->kernel[word % WALL_KERNEL_WORDS];
}

/*
 * All return addresses of a kept stack are still in their places: then each function has its old frame, and
 * no other one fits between two. Nothing is written here: the verifier would follow what comes after it for
 * each number of frames
 */
static __always_inline bool is_same_stack(const struct wall_kept *k, struct wall_room *r)
{
	for (u32 i = 0; i < WALL_KEPT_FRAMES && i < k->nr; i++) {
		u64 word = k->frame[i].word;

		if (word >= r->kernel_words || word_of_stack(r, word) != k->frame[i].ip)
			return false;
	}
	return k->nr;
}

static __always_inline void use_kept(const struct wall_kept *k, struct wall_room *r)
{
	r->hash = k->hash;
	r->s.nr_kernel = k->nr;
	for (u32 i = 0; i < WALL_KEPT_FRAMES && i < k->nr; i++)
		r->s.ip[i] = k->frame[i].ip;
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
		k->frame[at].word = i;
		k->frame[at].ip = r->kernel[i];
		k->nr = at + 1;
	}
	if (k->nr != nr)
		k->nr = 0;
	k->hash = r->hash;
}

static __always_inline u64 add_hash(u64 hash, u64 word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 32;
}

/* of words of the record, added to another hash */
static __always_inline u64 hash_words(const struct wall_room *r, u32 from, u32 nr, u64 hash)
{
	for (u32 i = 0; i < WALL_MAX_USER + WALL_REST && i < nr; i++) {
		u64 at = from + i;

		asm volatile("" : "+r"(at));	/* the check is made of what is used */
		if (at >= WALL_MAX_KERNEL + WALL_MAX_USER + WALL_REST)
			break;
		hash = add_hash(hash, r->s.ip[at]);
	}
	return hash;
}

static __always_inline void unwind_kernel(u64 *ctx, struct wall_room *r)
{
	s64 n = bpf_get_stack(ctx, r->s.ip, WALL_MAX_KERNEL * sizeof(u64), SKIPPED);

	r->s.nr_kernel = n > 0 ? n / sizeof(u64) : 0;
	forget();
	r->hash = hash_words(r, 0, r->s.nr_kernel, settings.seed + r->s.nr_kernel);
}

/* after those of the kernel */
static __always_inline void unwind_program(u64 *ctx, struct wall_room *r)
{
	u64 nr = r->s.nr_kernel;
	s64 n;

	asm volatile("" : "+r"(nr));	/* as in read_frame() */
	if (nr > WALL_MAX_KERNEL)
		nr = 0;
	n = bpf_get_stack(ctx, &r->s.ip[nr], WALL_MAX_USER * sizeof(u64), BPF_F_USER_STACK);
	r->s.nr_user = n > 0 ? n / sizeof(u64) : 0;
	forget();
	r->hash = hash_words(r, nr, r->s.nr_user, r->hash);
}

static __always_inline void note_kernel_stack(u64 *ctx, u64 regs, struct wall_room *r)
{
	u32 words, at;
	struct wall_kept *k;

	r->stack = (u64)ctx;
	r->kernel_words = settings.word_type ? kernel_bytes(ctx, regs) / sizeof(u64) :
		copy_kernel_stack(ctx, regs, r);
	forget();
	words = r->kernel_words;
	/* stacks of one length in one system call are mostly the same */
	at = (words * 31 + (u32)r->call) % WALL_NR_KEPT;
	k = bpf_map_lookup_elem(&kept, &at);
	if (k && words && is_same_stack(k, r)) {
		use_kept(k, r);
		forget();
		return;
	}
	unwind_kernel(ctx, r);
	if (settings.word_type) {
		r->kernel_words = copy_kernel_stack(ctx, regs, r);
		forget();
		words = r->kernel_words;
	}
	if (k && words)
		keep_stack(k, words, r);
	forget();
}

/* a frame of a program: that of its caller, and where it returns to */
struct user_frame {
	u64 next, ip;
};

static __always_inline bool read_frame(const struct wall_room *r, u64 at, struct user_frame *ret)
{
	u64 word = (at - r->sp) / sizeof(u64);

	/* no frame: damaged, or of code without frame pointers. To fail to read memory takes a microsecond */
	if (at % sizeof(u64) || at < LOWEST_FRAME)
		return false;
	if (word + 2 > r->words)
		return !bpf_probe_read_user(ret, sizeof(*ret), (const void *)at);
	/* the verifier does not know the number of words */
	ret->next = r->user[word % WALL_USER_WORDS];
	ret->ip = r->user[(word + 1) % WALL_USER_WORDS];
	return true;
}

/*
 * The part of the stack up to the frames of the last time, if it is still there: to copy 4 KB takes half as
 * long again as to read one frame
 */
static __always_inline void copy_user_stack(struct wall_room *r)
{
	u64 bytes = r->top - r->sp;

	r->words = 0;
	if (r->top <= r->sp)
		return;
	if (bytes > sizeof(r->user))
		bytes = sizeof(r->user);
	bytes &= ~7ull;
	if (!bpf_probe_read_user(r->user, bytes, (const void *)r->sp))
		r->words = bytes / sizeof(u64);
}

/* up to where to copy the next time: slowly less, for threads that come from several places in turn */
static __always_inline void keep_top(struct wall_room *r, u64 top)
{
	u64 old = r->words ? r->top : 0;

	r->top = top >= old ? top : old - ((old - top) / 8 + 7 & ~7ull);
}

/*
 * by frame pointers, as the kernel does it, but the part of the stack in which most frames are is copied at
 * once; false: not possible
 */
static __always_inline bool walk_program(struct wall_room *r)
{
	u32 nr = r->s.nr_kernel, i;
	u64 at = r->bp, hash = r->hash, top = 0;

	if (!r->is_program)
		return false;
	copy_user_stack(r);
	forget();
	/* never true */
	if (nr > WALL_MAX_KERNEL)
		return false;
	r->s.ip[nr] = r->ip;
	hash = add_hash(hash, r->ip);
	for (i = 1; i < WALL_MAX_USER; i++) {
		struct user_frame f;

		if (!read_frame(r, at, &f))
			break;
		r->s.ip[nr + i] = f.ip;
		hash = add_hash(hash, f.ip);
		if (at - r->sp < sizeof(r->user) - sizeof(f))
			top = at + sizeof(f);
		at = f.next;
	}
	r->s.nr_user = i;
	r->hash = hash;
	forget();
	keep_top(r, top);
	return true;
}

/* innermost first: frames of the kernel, and those of the program after them */
static __always_inline void note_stack(u64 *ctx, struct wall_room *r)
{
	const struct pt_regs *regs = (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());

	copy_registers(regs, r);
	note_kernel_stack(ctx, (u64)regs, r);
	if (walk_program(r))
		return;
	unwind_program(ctx, r);
}

#endif
