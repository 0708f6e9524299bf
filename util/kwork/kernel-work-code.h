/* Kernel-work-code: the instructions of the programs of kernel-work. */
#ifndef PERF_KWORK_KERNEL_WORK_CODE_H
#define PERF_KWORK_KERNEL_WORK_CODE_H

#include "kernel-work.h"

/* work that was raised or runs: an interrupt or softirq of a CPU, or a work wherever it runs (cpu 0) */
struct open_work_key {
	u64 id;
	u32 class, cpu;
};
struct open_work {
	u64 raise, entry;	/* 0: not raised, does not run */
	u64 function;
};

/* where the context of a program has its values; -1: it does not have it */
struct work_context {
	enum kwork_class class;
	s16 id;
	bool id_is_word;	/* 8 bytes, else the low 4 */
	s16 function;
};
void work_write_raise(struct bpf_code *c, const struct kernel_work *w, const struct work_context *at);
void work_write_enter(struct bpf_code *c, const struct kernel_work *w, const struct work_context *at);
void work_write_leave(struct bpf_code *c, const struct kernel_work *w, const struct work_context *at);

/* top */
struct switch_context {
	s16 prev_pid, prev_comm, next_pid;
};
void work_write_top_enter(struct bpf_code *c, const struct kernel_work *w, enum kwork_class class);
void work_write_top_leave(struct bpf_code *c, const struct kernel_work *w, enum kwork_class class);
void work_write_top_switch(struct bpf_code *c, const struct kernel_work *w, const struct switch_context *at);

#endif
