/*
 * Kernel-waits: waits for kernel locks, paired and added up by BPF programs at lock:contention_begin and
 * lock:contention_end. The begin notes the wait of a thread for a lock with its key: what rows are by. The
 * end adds the time to the entry of that key, so nothing crosses a ring. contention.h says what a wait is;
 * here a wait whose beginning was not seen is not known.
 *
 * A key has the call chain itself instead of the id of a stack map: two chains never share an id, and none is
 * lost. So chains have at most KERNEL_WAITS_STACK_MAX frames: keys of a map are at most 512 bytes.
 *
 * The process needs CAP_BPF and CAP_PERFMON; kernels from 5.19 on have the tracepoints.
 */
#ifndef PERF_LOCK_KERNEL_WAITS_H
#define PERF_LOCK_KERNEL_WAITS_H

#include "../bpf/map.h"
#include "../bpf/tasks.h"

#define KERNEL_WAITS_STACK_MAX 56u
#define KERNEL_WAITS_ENTRIES 16384u	/* by default */
#define KERNEL_WAITS_ENTRIES_MAX (1u << 24)
#define KERNEL_WAITS_FLAGS 64u		/* flags of locks are below it */

/* parts of a key, bits; others are 0 in it */
#define KERNEL_WAITS_CHAIN 1u		/* and the flags of the lock */
#define KERNEL_WAITS_TASK 2u
#define KERNEL_WAITS_OWNER 4u		/* instead of the waiter */
#define KERNEL_WAITS_LOCK 8u
#define KERNEL_WAITS_CGROUP 16u

struct kernel_wait_key {
	u64 lock, cgroup;
	s32 task;		/* -1: an owner that is not known */
	u32 flags;
	u64 ip[];		/* max_stack of them, innermost first; 0 after the last one */
};
/* times in nanoseconds */
struct kernel_wait {
	u64 nr, total, max, min;
	u32 flags;		/* of the first wait */
	char comm[16];		/* of the task of the key, at the first wait; may lack its NUL */
	u32 reserved;
};

/* where the kernel keeps the owner of a lock: offsets in its structs, from BTF */
struct kernel_wait_offsets {
	u32 mutex_owner, rwsem_owner, task_pid, task_comm;
};

/* whoever gets this lock after a wait is kept busy that long, while the lock is held */
struct lock_delay {
	u64 lock, ns;
};
#define LOCK_DELAY_MAX_NS 10000000u
#define LOCK_DELAYS_MAX 64u

struct kernel_waits_opts {
	u32 by;				/* KERNEL_WAITS_* */
	u32 max_stack, entries;
	u64 types;			/* bit f: locks with flags f are wanted; 0: all */
	const u64 *locks;		/* addresses; only these */
	size_t nr_locks;
	const struct lock_delay *delays;
	size_t nr_delays;
	const u64 *cgroups;		/* ids; only tasks in these */
	size_t nr_cgroups;
	const s32 *cpus;		/* only waits that begin on these */
	size_t nr_cpus;
	struct bpf_tasks_opts tasks;
	struct kernel_wait_offsets offsets;	/* for KERNEL_WAITS_OWNER */
};

struct kernel_waits {
	struct kernel_waits_opts opts;
	struct bpf_map pending, total, scratch, counters, locks, cgroups, cpus, delays;
	struct bpf_prog begin, end;
	struct bpf_tasks tasks;
};
#define KERNEL_WAITS_INIT \
	{ .pending = BPF_MAP_INIT, .total = BPF_MAP_INIT, .scratch = BPF_MAP_INIT, .counters = BPF_MAP_INIT, \
	  .locks = BPF_MAP_INIT, .cgroups = BPF_MAP_INIT, .cpus = BPF_MAP_INIT, .delays = BPF_MAP_INIT, \
	  .begin = BPF_PROG_INIT, .end = BPF_PROG_INIT, .tasks = BPF_TASKS_INIT }

/* all is loaded, nothing runs yet. The lists of opts are copied. 0, or a negative errno with err */
int kernel_waits_open(struct kernel_waits *k, const struct kernel_waits_opts *o, struct err *err);
int kernel_waits_attach(struct kernel_waits *k, struct err *err);
void kernel_waits_detach(struct kernel_waits *k);
/* for each key: its chain has nr_ip frames. fn must copy what it keeps */
void kernel_waits_each(const struct kernel_waits *k,
		       void (*fn)(void *ctx, const struct kernel_wait_key *key, u32 nr_ip,
				  const struct kernel_wait *w), void *ctx);
struct kernel_wait_losses {
	u64 nr_unfinished;	/* waits whose end was not seen, and those that go on */
	u64 nr_no_room;		/* waits that found no room in the tables */
};
void kernel_waits_losses(const struct kernel_waits *k, struct kernel_wait_losses *ret);
void kernel_waits_close(struct kernel_waits *k);

#endif
