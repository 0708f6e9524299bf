/* Call-data.bpf: appends what arguments point to to the record of a call. A part of kernel-calls.bpf.c. */
#ifndef PERF_BPF_CALL_DATA_BPF_H
#define PERF_BPF_CALL_DATA_BPF_H

#include "call-regs.bpf.h"
#include "kernel-calls-types.h"

/*
 * The number of bytes that were appended is kept in the record. After a load the verifier knows nothing of it
 * but what is tested, so that all ways through one argument are one state at the next: 20 times fewer states
 */
static __always_inline u64 appended(const struct call_room *r)
{
	return *(const volatile u16 *)&r->head.bytes;
}

static __always_inline void set_appended(struct call_room *r, u64 bytes)
{
	*(volatile u16 *)&r->head.bytes = bytes;
}

/* the compiler knows nothing of the value any more, and keeps the tests that follow for the verifier */
#define forget(value) asm volatile("" : "+r"(value))

/* a text of at most max bytes; its length, 0: it cannot be read */
static __always_inline s64 append_text(struct call_room *r, u64 addr, u32 max)
{
	u64 at = appended(r);
	s64 len;

	if (at > CALL_DATA_MAX)
		return 0;
	len = read_user_str(r->data + at, max, addr);
	if (len <= 0 || len > max)
		return 0;
	set_appended(r, at + len);
	return len;
}

/* the strings of argument i, an array of pointers at `array` */
static __always_inline void append_strings(struct call_room *r, u32 i, u64 array)
{
	u64 start = appended(r), addr;

#pragma unroll
	for (u32 n = 0; n < KERNEL_CALLS_STRINGS; n++) {
		if (read_user(&addr, sizeof(addr), array + n * sizeof(addr)) || !addr ||
		    !append_text(r, addr, KERNEL_CALLS_STRING_MAX))
			break;
	}
	r->head.len[i] = appended(r) - start;
}

/* how many elements the argument points to, at most KERNEL_CALLS_ARG_MAX */
static __always_inline u64 count_elements(const struct call_room *r, const struct kernel_call_copy *c,
					  u32 count, u64 addr)
{
	u64 nr, ret = r->head.ret;
	u32 word = 0;

	if (count < KERNEL_CALL_BY_ARG)
		return 1;
	/* the argument that has the number: 0 to 7, which is within the room */
	nr = *(const u64 *)((const void *)r->head.arg + (c->by_arg & 7) * sizeof(u64));
	if (count == KERNEL_CALL_BY_BITS) {
		nr = (nr + 63) / 64;
	} else if (count == KERNEL_CALL_AT) {
		if (read_user(&word, sizeof(word), addr))
			return 0;
		nr = word;
	} else if (count == KERNEL_CALL_BY_RESULT && nr > ret) {
		nr = ret;
	}
	return nr < KERNEL_CALLS_ARG_MAX ? nr : KERNEL_CALLS_ARG_MAX;
}

static __always_inline void append_argument(struct call_room *r, const struct kernel_call_rule *rule, u32 i)
{
	const struct kernel_call_copy *c = &rule->arg[i];
	u32 count = c->count;
	u64 addr = r->head.arg[i], at, size, max;
	s64 len;

	if (count == KERNEL_CALL_NOTHING || (c->on_success && r->head.ret < 0))
		return;
	/* only argv of execve and execveat are arrays of strings */
	if ((i == 1 || i == 2) && count == KERNEL_CALL_STRINGS) {
		if (!(r->head.flags & KERNEL_CALL_IS_COMPAT))
			append_strings(r, i, addr);
		return;
	}
	max = c->max;
	size = count == KERNEL_CALL_STRING ? max : count_elements(r, c, count, addr) * c->size;
	if (size > max)
		size = max;
	at = appended(r);
	forget(size);
	if (at > CALL_DATA_MAX || !size || size > KERNEL_CALLS_ARG_MAX)
		return;
	if (count == KERNEL_CALL_STRING)
		len = read_user_str(r->data + at, size, addr);
	else
		len = read_user(r->data + at, size, addr) ? 0 : size;
	if (len <= 0 || len > KERNEL_CALLS_ARG_MAX)
		return;
	r->head.len[i] = len;
	set_appended(r, at + len);
}

static __always_inline void append_arguments(struct call_room *r, const struct kernel_call_rule *rule)
{
#pragma unroll
	for (u32 i = 0; i < KERNEL_CALLS_ARGS; i++)
		append_argument(r, rule, i);
}

static __always_inline void append_part(struct call_room *r, u64 addr, u64 size, u64 max)
{
	struct kernel_call_part *part;
	u64 at = appended(r);

	if (size > max)
		size = max;
	forget(size);
	if (at > CALL_DATA_MAX || !size || size > KERNEL_CALLS_ARG_MAX)
		return;
	part = (void *)r->data + at;
	if (read_user(part + 1, size, addr))
		return;
	/* the data of arguments is not aligned */
	part->addr = addr;
	*(u64 *)&part->len = size;
	set_appended(r, at + sizeof(*part) + size);
	r->head.nr_parts++;
}

/* as in the kernel's struct user_msghdr and struct iovec of 64-bit programs */
struct message {
	u64 name;
	u32 name_len, pad;
	u64 vectors, nr_vectors, control, control_len, flags;
};
struct vector {
	u64 addr, len;
};

/* what the bytes of argument 1 point to */
static __always_inline void append_parts(struct call_room *r, const struct kernel_call_rule *rule)
{
	u64 vectors = r->head.arg[1], nr = r->head.arg[2];
	struct message m;
	struct vector v;

	/* of calls whose bytes were not read, as they failed, parts say nothing */
	if (rule->parts == KERNEL_CALL_NO_PARTS || !r->head.len[1])
		return;
	if (rule->parts == KERNEL_CALL_PARTS_MSGHDR) {
		if (read_user(&m, sizeof(m), vectors))
			return;
		append_part(r, m.name, m.name_len, KERNEL_CALLS_PART_MAX);
		append_part(r, m.control, m.control_len, KERNEL_CALLS_PART_MAX);
		vectors = m.vectors;
		nr = m.nr_vectors;
		append_part(r, vectors, (nr < KERNEL_CALLS_VECTORS ? nr : KERNEL_CALLS_VECTORS) * sizeof(v),
			    KERNEL_CALLS_ARG_MAX);
	}
#pragma unroll
	for (u32 i = 0; i < KERNEL_CALLS_VECTORS; i++) {
		if (nr <= i || read_user(&v, sizeof(v), vectors + i * sizeof(v)))
			return;
		append_part(r, v.addr, v.len, rule->buffer_max);
	}
}

/* the auxiliary vector of a new program is looked for in this number of words after its stack pointer */
#define STACK_WORDS 248
#define STACK_PIECE 31
/* a smaller value in the vector is not an address */
#define LOWEST_ADDRESS 0x10000
#define AT_EXECFN 31

/*
 * The address of the name of the file, as it was given: AT_EXECFN of the auxiliary vector, which follows the
 * environment. No other 31 on the stack is followed by an address. 0: it is not found
 */
static __always_inline u64 find_new_filename(u64 sp)
{
	u64 word[STACK_PIECE + 1];

	/* the last word of a piece is the first one of the next: it may be the address */
	for (u32 at = 0; at < STACK_WORDS; at += STACK_PIECE) {
		if (read_user(word, sizeof(word), sp + at * sizeof(*word)))
			return 0;
#pragma unroll
		for (u32 i = 0; i < STACK_PIECE; i++)
			if (word[i] == AT_EXECFN && word[i + 1] >= LOWEST_ADDRESS)
				return word[i + 1];
	}
	return 0;
}

/*
 * An execve has succeeded: its arguments are read again from the stack of the new program, where the kernel
 * has just put them. The stack pointer is at their number, the pointers to them follow. Not of 32-bit
 * programs and execveat, whose file has another name there
 */
static __always_inline void append_new_program(struct call_room *r, const struct kernel_call_rule *rule,
					       u64 regs)
{
	u64 sp = 0, name;
	u32 kind = 0;

	if (rule->arg[1].count != KERNEL_CALL_STRINGS ||
	    read_kernel(&kind, sizeof(kind), regs + settings.regs.compat_at) ||
	    (kind & settings.regs.compat_mask) == settings.regs.compat_value ||
	    read_kernel(&sp, sizeof(sp), regs + settings.regs.sp))
		return;
	name = find_new_filename(sp);
	if (name)
		r->head.len[0] = append_text(r, name, KERNEL_CALLS_ARG_MAX);
	append_strings(r, 1, sp + sizeof(u64));
}

#endif
