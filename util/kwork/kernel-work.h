/*
 * Kernel-work: work added up by BPF programs instead of handlers: one program per tracepoint notes when work
 * is raised and begins, and adds to the entry of its kind when it ends. Entries become rows of struct kwork,
 * so the tables are those of a recording. For top, programs at switches, interrupts and softirqs do on each
 * CPU what top.c does with events.
 *
 * The process needs CAP_BPF and CAP_PERFMON. Fields of workqueue:workqueue_execute_start and
 * sched:sched_switch are found by their formats, so these two need tracefs.
 */
#ifndef PERF_KWORK_KERNEL_WORK_H
#define PERF_KWORK_KERNEL_WORK_H

#include "kwork.h"
#include "../bpf/map.h"
#include "../bpf/program.h"

#define KERNEL_WORK_MAX 16384u		/* entries of a table */
#define KERNEL_WORK_PROGRAMS 8u

struct kernel_work_key {
	u64 id, function;	/* as in struct kwork_work */
	u32 class, cpu;
};
struct kernel_work_entry {
	struct kwork_times run, delay;
};

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

struct kernel_work {
	const struct kwork_opts *opts;
	struct bpf_map open, work, share, cpu, no_room;
	struct bpf_prog prog[KERNEL_WORK_PROGRAMS];
};
#define KERNEL_WORK_INIT \
	{ .open = BPF_MAP_INIT, .work = BPF_MAP_INIT, .share = BPF_MAP_INIT, .cpu = BPF_MAP_INIT, \
	  .no_room = BPF_MAP_INIT, .prog = { [0 ... KERNEL_WORK_PROGRAMS - 1] = BPF_PROG_INIT } }

/* loads what the classes and the kind of table need; nothing runs yet. 0, or a negative errno with err */
int kernel_work_open(struct kernel_work *w, const struct kwork_opts *o, struct err *err);
int kernel_work_attach(struct kernel_work *w, struct err *err);
void kernel_work_detach(struct kernel_work *w);
/* what was counted becomes rows of k */
void kernel_work_add(const struct kernel_work *w, struct kwork *k);
void kernel_work_close(struct kernel_work *w);

#endif
