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
 * their start has what was there and in memory, which can be nothing right after a fork. The end of an execve
 * that succeeded has the name and the arguments as the new program got them. Other arrays that the kernel
 * changes in place (poll) are seen as it left them.
 *
 * The process needs CAP_BPF and CAP_PERFMON. Registers of the arguments are known for x86-64 and arm64.
 */
#ifndef PERF_TRACE_KERNEL_CALLS_H
#define PERF_TRACE_KERNEL_CALLS_H

#include "../bpf/inplace.h"
#include "../bpf/kernel-calls-types.h"
#include "../bpf/ring.h"
#include "../bpf/watched.h"
#include "../syscall/syscall.h"

struct kernel_calls_opts {
	const struct kernel_call_rule *rule;	/* of kernel_calls_set_rules(); or NULL */
	struct watched_opts tasks;
	bool failed_only;
	bool all_wanted;	/* no rule has wanted == 0 */
	u64 min_ns;		/* calls that took less are not recorded; 0: none */
	u32 nr_cpus;		/* CPU numbers are below it */
	u64 ring_bytes;		/* records go to rings of BPF programs of this size; 0: to samples */
};

struct kernel_calls {
	struct watched_opts tasks;
	struct bpf_set set;
	struct bpf_map pending, rules, room, output;	/* of the set */
	/* by CPU; those of other CPUs are not mapped. None: records are samples */
	struct { VEC(struct bpf_ring); } ring;
	struct bpf_map rings;		/* what programs see of it */
	u64 ring_bytes;
	/* by CPU, or none: then records are written here, in place, and a small ring wakes the reader */
	struct { VEC(struct bpf_inplace); } inplace;
	struct bpf_inplace model;	/* what all of them are like; the first CPU gets it */
	struct bpf_map rings_inplace;	/* what programs see of them */
	bool attached;
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
