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
#include "../bpf/set.h"

struct kernel_work {
	const struct kwork_opts *opts;
	struct bpf_set set;
};

/* loads what the classes and the kind of table need; nothing runs yet. 0, or a negative errno with err */
int kernel_work_open(struct kernel_work *w, const struct kwork_opts *o, struct err *err);
int kernel_work_attach(struct kernel_work *w, struct err *err);
void kernel_work_detach(struct kernel_work *w);
/* what was counted becomes rows of k */
void kernel_work_add(const struct kernel_work *w, struct kwork *k);
void kernel_work_close(struct kernel_work *w);

#endif
