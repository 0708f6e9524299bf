/*
 * Kernel-calls: BPF programs that record system calls. One program notes the start of each call, a second
 * one pairs it with its end, decides whether it is wanted, reads what its arguments point to, and writes one
 * record with all of that into a ring of BPF programs, one per CPU (bpf/inplace.h, or bpf/ring.h where the
 * kernel or the machine does not allow that). Or it writes the record as a
 * sample into the ring of an event of type BPF output (PERF_COUNT_SW_BPF_OUTPUT): samples can have call
 * chains, but take longer. So a call crosses a ring once, calls that nobody wants never do, and nothing stops
 * the program.
 *
 * What arguments point to is read when the call ends, as then its pages are in memory: a program at the start
 * must not wait for them. An exec that succeeds replaces that memory, and select changes it, so a record of
 * their start has what was there and in memory, which can be nothing right after a fork. Other arrays that
 * the kernel changes in place (poll) are seen as it left them.
 *
 * The process needs CAP_BPF and CAP_PERFMON. Registers of the arguments are known for x86-64 and arm64.
 */
#ifndef PERF_TRACE_KERNEL_CALLS_H
#define PERF_TRACE_KERNEL_CALLS_H

#include "../base/err.h"
#include "../bpf/inplace.h"
#include "../bpf/map.h"
#include "../bpf/program.h"
#include "../bpf/ring.h"
#include "../bpf/tasks.h"
#include "../syscall/syscall.h"

#define KERNEL_CALLS_ARGS 6u
#define KERNEL_CALLS_NR_MAX 1024u	/* numbers are below it */
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

struct kernel_calls_opts {
	const struct kernel_call_rule *rule;	/* of kernel_calls_set_rules(); or NULL */
	struct bpf_tasks_opts tasks;
	bool failed_only;
	bool all_wanted;	/* no rule has wanted == 0 */
	u64 min_ns;		/* calls that took less are not recorded; 0: none */
	u32 nr_cpus;		/* CPU numbers are below it */
	u64 ring_bytes;		/* records go to rings of BPF programs of this size; 0: to samples */
};

struct kernel_calls {
	struct bpf_map pending, rules, scratch, output, missed;
	/* by CPU; those of other CPUs are not mapped. None: records are samples */
	struct { VEC(struct bpf_ring); } ring;
	struct bpf_map rings;		/* what programs see of it */
	u64 ring_bytes;
	/* by CPU, or none: then records are written here, in place, and a small ring wakes the reader */
	struct { VEC(struct bpf_inplace); } inplace;
	struct bpf_inplace model;	/* what all of them are like; the first CPU gets it */
	struct bpf_map rings_inplace;	/* what programs see of them */
	struct bpf_prog enter, exit;
	struct bpf_tasks tasks;		/* bpf_tasks_add() adds some */
};

/*
 * all is loaded, nothing runs yet. 0, or a negative errno with err: -ENOTSUP on another architecture. Without
 * rings where the kernel has none (before 5.8)
 */
int kernel_calls_open(struct kernel_calls *k, const struct kernel_calls_opts *o, struct err *err);
/* rule: 2 * KERNEL_CALLS_NR_MAX of them. 0, or a negative errno with err */
int kernel_calls_set_rules(const struct kernel_calls *k, const struct kernel_call_rule *rule,
			   struct err *err);
/* records of this CPU go to that event: one of the software event BPF output, on this CPU, of all tasks */
int kernel_calls_set_output(struct kernel_calls *k, u32 cpu, int event_fd);
/* if there are rings, this CPU gets one; its descriptor reports wake-ups. 0, or a negative errno with err */
int kernel_calls_add_ring(struct kernel_calls *k, u32 cpu, struct err *err);
typedef void (*kernel_calls_fn)(void *ctx, u32 cpu, const struct kernel_call *call, u32 len);
/* the records of the rings, of each CPU in the order of time; call, len: for kernel_call_decode() */
void kernel_calls_read(struct kernel_calls *k, kernel_calls_fn fn, void *ctx);
/* the number of records that found no room in a ring */
u64 kernel_calls_lost(const struct kernel_calls *k);
/* from now on calls are recorded */
int kernel_calls_attach(struct kernel_calls *k, struct err *err);
/* no longer; what tasks are in the middle of can still be asked for */
void kernel_calls_detach(struct kernel_calls *k);
/* the number of calls that found no room in the table of tasks */
u64 kernel_calls_missed(const struct kernel_calls *k);
/* a task that is in a call: the task after *tid (0: the first); false after the last. Without data */
bool kernel_calls_next_pending(const struct kernel_calls *k, u32 *tid, struct kernel_call *ret);
void kernel_calls_close(struct kernel_calls *k);

/* where the bytes of a record are */
struct kernel_call_data {
	const void *arg[KERNEL_CALLS_ARGS];	/* NULL where nothing was read */
	struct syscall_part part[KERNEL_CALLS_PARTS_MAX];
	u32 nr_parts;
};
/*
 * the payload of a sample: checks that the head and all bytes of arguments and parts are inside. ret points
 * into nothing; data points into raw
 */
bool kernel_call_decode(const void *raw, u32 size, struct kernel_call *ret, struct kernel_call_data *data);
/* the same in place where it is aligned, else in copy; NULL: something is not inside */
const struct kernel_call *kernel_call_at(const void *raw, u32 size, struct kernel_call *copy,
					 struct kernel_call_data *data);

#endif
