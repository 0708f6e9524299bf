/* Kernel-calls-types: what kernel-calls.bpf.c and util/trace/kernel-calls.c share. */
#ifndef PERF_BPF_KERNEL_CALLS_TYPES_H
#define PERF_BPF_KERNEL_CALLS_TYPES_H

#include "call-regs-types.h"
#include "inplace-types.h"
#include "watched-types.h"

#define KERNEL_CALLS_ARGS 6u
#define KERNEL_CALLS_NR_MAX 1024u	/* rules have numbers below it; the last: larger ones, too */
#define KERNEL_CALLS_ARG_MAX 256u	/* bytes of one argument, but for strings */
#define KERNEL_CALLS_STRINGS 8u		/* strings of KERNEL_CALL_STRINGS, and bytes of each */
#define KERNEL_CALLS_STRING_MAX 64u

/* how many elements an argument points to; 0: nothing is read */
enum kernel_call_count {
	KERNEL_CALL_NOTHING, KERNEL_CALL_ONE, KERNEL_CALL_STRING, KERNEL_CALL_BY_ARG, KERNEL_CALL_BY_RESULT,
	KERNEL_CALL_BY_BITS,	/* the argument is a number of bits; elements are longs */
	KERNEL_CALL_AT,		/* the u32 that the argument points to */
	/*
	 * an array of pointers to strings that ends with NULL: the strings, each with its NUL; only of 64-bit
	 * programs
	 */
	KERNEL_CALL_STRINGS,
};
/* what to read of one argument */
struct kernel_call_copy {
	u8 count;		/* enum kernel_call_count */
	u8 by_arg;		/* which argument has the number of elements, or limits the result */
	u8 on_success;		/* the kernel wrote it: not if the call failed */
	u8 reserved;
	u16 size;		/* bytes of an element */
	u16 max;		/* bytes in total, at most KERNEL_CALLS_ARG_MAX */
};

/* what the bytes of argument 1 point to, which is read, too */
enum kernel_call_parts {
	KERNEL_CALL_NO_PARTS,
	KERNEL_CALL_PARTS_IOVEC,	/* buffers of an array of struct iovec; argument 2: their number */
	KERNEL_CALL_PARTS_MSGHDR,	/* what a struct user_msghdr points to, and its buffers */
};
#define KERNEL_CALLS_VECTORS 4u		/* buffers of an array, at most */
#define KERNEL_CALLS_PARTS_MAX (KERNEL_CALLS_VECTORS + 3)
#define KERNEL_CALLS_PART_MAX 128u	/* bytes of a part, but for buffers */
/* what to do with a call; by its number, and for 32-bit programs KERNEL_CALLS_NR_MAX more */
struct kernel_call_rule {
	u32 wanted;		/* 1: record it */
	u32 flags;		/* KERNEL_CALL_NO_RETURN, _REPLACES_MEMORY, _ALWAYS */
	struct kernel_call_copy arg[KERNEL_CALLS_ARGS];
	u16 parts;		/* enum kernel_call_parts; only of 64-bit programs */
	u16 buffer_max;		/* bytes of a buffer, at most KERNEL_CALLS_ARG_MAX */
};
#define KERNEL_CALL_NO_RETURN 1u		/* exit: recorded when it starts */
#define KERNEL_CALL_ALWAYS 4u		/* also if failed_only or min_ns would leave it out */
#define KERNEL_CALL_REPLACES_MEMORY 2u		/* exec: arguments are read when it starts */

/*
 * the record: followed by the bytes of its arguments, len[0] of the first, ..., and the parts, each a struct
 * kernel_call_part and its bytes
 */
struct kernel_call {
	u64 enter_ns;		/* CLOCK_MONOTONIC */
	u64 end_ns;		/* when the record was written; only of rings, samples have a time */
	s64 ret;
	u64 arg[KERNEL_CALLS_ARGS];
	u32 nr, pid, tid;
	u32 flags;		/* KERNEL_CALL_IS_* */
	u16 len[KERNEL_CALLS_ARGS];
	u16 bytes;		/* of all arguments and parts */
	u16 nr_parts;
};
struct kernel_call_part {
	u64 addr;
	u32 len, reserved;
};
#define KERNEL_CALL_IS_COMPAT 1u	/* of a 32-bit program */
#define KERNEL_CALL_IS_OPEN 2u		/* has not returned */

/* what the kernel keeps of a call until it ends, by thread; state: not 0 while the thread is in the call */
struct pending_call {
	u64 enter_ns;
	u64 arg[KERNEL_CALLS_ARGS];
	u32 nr, flags, state, pid, tid;
	u32 zero;		/* the kernel copies the struct whole */
};

/* bytes of arguments in a record at most; the room of a program to build one */
#define CALL_DATA_MAX 1280u
struct call_room {
	struct kernel_call head;
	u8 data[CALL_DATA_MAX + sizeof(struct kernel_call_part) + KERNEL_CALLS_ARG_MAX];
	u64 unread;		/* bytes that were written to the ring since its reader was woken */
	u64 lost;		/* records that found no room there */
};

/* where records are written */
enum calls_output { CALLS_TO_SAMPLES, CALLS_TO_RINGS, CALLS_IN_PLACE };

struct kernel_calls_settings {
	struct watched_settings watched;
	struct call_regs regs;
	u32 output;		/* enum calls_output */
	u32 failed_only, all_wanted;	/* as in struct kernel_calls_opts */
	u32 wake_bytes;		/* the reader of a ring is woken when so much was written */
	u64 min_ns;		/* as there */
	u64 size, room;		/* in place: of a ring, and of a record at most */
};

#endif
