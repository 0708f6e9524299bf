/* Watched-types: what watched.bpf.h and watched.c share. */
#ifndef PERF_BPF_WATCHED_TYPES_H
#define PERF_BPF_WATCHED_TYPES_H

#include "../base/types.h"

#define WATCHED_MAX 65536u	/* threads */
/*
 * In a PID namespace: a key of the map `watched` that is the kernel's own number of a thread. Numbers of
 * threads end at 2^22
 */
#define WATCHED_KERNEL_TID 0x80000000u

/* a member of the constants of each program that includes watched.bpf.h */
struct watched_settings {
	u32 all;		/* every task; else those in the map `watched` */
	u32 not_pid;		/* a process that is left out; 0: none */
	u32 leaves_out;		/* threads in the map `unwatched` are left out */
	u32 in_cgroup;		/* only tasks below the control group in the map `cgroup` */
	u32 child_pid;		/* offset in the payload of sched:sched_process_fork */
	/* the PID namespace that perf runs in; 0: the first one, whose numbers the kernel uses itself */
	u64 ns_dev, ns_inode;
};

#endif
