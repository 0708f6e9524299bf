/* Kernel-waits-code: the instructions of the programs of kernel-waits. */
#ifndef PERF_LOCK_KERNEL_WAITS_CODE_H
#define PERF_LOCK_KERNEL_WAITS_CODE_H

#include "kernel-waits.h"

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

static inline u32 open_wait_size(const struct kernel_waits_opts *o)
{
	return sizeof(struct open_wait) + (o->by & KERNEL_WAITS_CHAIN ? o->max_stack : 0) * sizeof(u64);
}

/* each appends a whole program */
void waits_write_begin(struct bpf_code *c, const struct kernel_waits *k);
void waits_write_end(struct bpf_code *c, const struct kernel_waits *k);

#endif
