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

#include "../bpf/kernel-waits-types.h"
#include "../bpf/watched.h"

#define KERNEL_WAITS_ENTRIES 16384u	/* by default */
#define KERNEL_WAITS_ENTRIES_MAX (1u << 24)

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
	struct watched_opts tasks;
	struct kernel_wait_offsets offsets;	/* for KERNEL_WAITS_OWNER */
};

struct kernel_waits {
	struct kernel_waits_opts opts;
	struct bpf_set set;
	struct bpf_map pending, total, counters;	/* of the set */
};

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
