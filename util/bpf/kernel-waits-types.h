/* Kernel-waits-types: what kernel-waits.bpf.c and util/lock/kernel-waits.c share. */
#ifndef PERF_BPF_KERNEL_WAITS_TYPES_H
#define PERF_BPF_KERNEL_WAITS_TYPES_H

#include "watched-types.h"

/* a key of a BPF map has at most 512 bytes */
#define KERNEL_WAITS_STACK_MAX 56u
#define KERNEL_WAITS_FLAGS 64u		/* flags of locks are below it */

/* flags of lock:contention_begin, as its format lists them */
enum lock_flag {
	LOCK_FLAG_SPIN = 1, LOCK_FLAG_READ = 2, LOCK_FLAG_WRITE = 4, LOCK_FLAG_RT = 8, LOCK_FLAG_PERCPU = 16,
	LOCK_FLAG_MUTEX = 32,
};

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

/* the thread and the lock that it waits for */
struct wait_place {
	u64 lock;
	s64 task;		/* tid; -1 - CPU of idle tasks, which all have the tid 0 */
};
/* a wait that goes on; the rest of the key follows */
struct open_wait {
	u64 begin;
	u32 flags, last_flags;
	char comm[16];
	struct kernel_wait_key key;
};
/* entries of the map of counters */
enum wait_counter { WAITS_UNFINISHED, WAITS_NO_ROOM, WAITS_NR_COUNTERS };

/* where the kernel keeps the owner of a lock: offsets in its structs, from BTF */
struct kernel_wait_offsets {
	u32 mutex_owner, rwsem_owner, task_pid, task_comm;
};

struct kernel_waits_settings {
	struct watched_settings watched;
	u32 by;			/* KERNEL_WAITS_* */
	u32 max_stack;		/* 0: without KERNEL_WAITS_CHAIN */
	/* only words in the maps `locks`, `cpus` and `cgroups`; 0: any */
	u32 choose_lock, choose_cpu, choose_cgroup;
	struct kernel_wait_offsets offsets;	/* for KERNEL_WAITS_OWNER */
	u64 types;		/* bit f: locks with flags f are wanted; 0: all */
};

#endif
