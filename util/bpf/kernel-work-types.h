/* Kernel-work-types: what kernel-work.bpf.c, kernel-top.bpf.c and util/kwork share. */
#ifndef PERF_BPF_KERNEL_WORK_TYPES_H
#define PERF_BPF_KERNEL_WORK_TYPES_H

#include "../base/types.h"

#define KERNEL_WORK_MAX 16384u		/* entries of a table */

enum kwork_class { KWORK_IRQ, KWORK_SOFTIRQ, KWORK_WORKQUEUE, KWORK_SCHED, KWORK_NR_CLASSES };

/* intervals of one kind added up, in nanoseconds */
struct kwork_times {
	u64 nr, total, max, max_start, max_end;
};

/* ---- kernel-work.bpf.c ---- */

struct kernel_work_key {
	u64 id, function;	/* as in struct kwork_work */
	u32 class, cpu;
};
struct kernel_work_entry {
	struct kwork_times run, delay;
};

/* work that was raised or runs: an interrupt or softirq of a CPU, or a work wherever it runs (cpu 0) */
struct open_work_key {
	u64 id;
	u32 class, cpu;
};
struct open_work {
	u64 raise, entry;	/* 0: not raised, does not run */
	u64 function;
};

struct kernel_work_settings {
	u32 work, function;	/* offsets in the payload of workqueue:workqueue_execute_start */
};

/* ---- kernel-top.bpf.c ---- */

/* time of a task on a CPU, without interrupts and softirqs */
struct kernel_share_key {
	s32 tid;
	u32 cpu;
};
struct kernel_share {
	u64 ns;
	char comm[16];		/* may lack its NUL */
};
/* of a CPU: as struct kwork_cpu */
struct kernel_cpu {
	u64 since, first, last, outer, stolen, irq_entry, softirq_entry, irq, softirq, unknown;
	s32 current;
	u32 depth, known, reserved;
};

struct kernel_top_settings {
	u32 prev_pid, prev_comm, next_pid;	/* offsets in the payload of sched:sched_switch */
};

#endif
