/*
 * Kernel-summary: system calls counted by BPF programs, for a summary alone: how often each call was made by
 * each thread, control group or by all, how often it failed and with which error, and how long it took. No
 * record is written, so nothing is lost, and a call costs a few look-ups in tables.
 *
 * Durations are in the same buckets as those of base/histogram.h, so percentiles agree; the sum of their
 * squares has 128 bits. Entries that found no room are counted. The process needs CAP_BPF and CAP_PERFMON.
 */
#ifndef PERF_TRACE_KERNEL_SUMMARY_H
#define PERF_TRACE_KERNEL_SUMMARY_H

#include "kernel-calls.h"
#include "trace.h"

#define KERNEL_SUMMARY_ENTRIES 16384u	/* pairs of a thread or group and a call */
#define KERNEL_SUMMARY_COUNTS 65536u	/* buckets of durations and errors, of all pairs together */
#define KERNEL_SUMMARY_SYSTEM 8u	/* times as many of both for the whole system, made when needed */

struct kernel_summary_key {
	u64 group;		/* tid, id of a control group, or 0 */
	u32 nr;			/* KERNEL_CALLS_NR_MAX more for calls of 32-bit programs */
	u32 part;		/* 0 of an entry; else which count: KERNEL_SUMMARY_* and a number */
};
#define KERNEL_SUMMARY_BUCKET 0x10000u	/* + bucket of durations */
#define KERNEL_SUMMARY_ERROR 0x20000u	/* + errno */

struct kernel_summary_entry {
	u64 calls, errors, timed, total, min, max;
	u64 squares_low, squares_high;	/* the sum of squares of durations, in two halves */
	u64 named_ns;			/* when pid and comm were read */
	u32 pid;
	char comm[16];			/* may lack its NUL */
	u32 reserved;
};

struct kernel_summary_opts {
	const struct kernel_call_rule *rule;	/* 2 * KERNEL_CALLS_NR_MAX of them: wanted, NO_RETURN */
	enum trace_summary_mode mode;
	bool all_wanted;		/* no rule has wanted == 0 */
	struct bpf_tasks_opts tasks;
};

struct kernel_summary {
	struct bpf_map pending, entries, counts, rules, no_room;
	struct bpf_prog enter, exit;
	struct bpf_tasks tasks;		/* bpf_tasks_add() adds some */
};
#define KERNEL_SUMMARY_INIT \
	{ .pending = BPF_MAP_INIT, .entries = BPF_MAP_INIT, .counts = BPF_MAP_INIT, .rules = BPF_MAP_INIT, \
	  .no_room = BPF_MAP_INIT, .enter = BPF_PROG_INIT, .exit = BPF_PROG_INIT, .tasks = BPF_TASKS_INIT }

/* all is loaded, nothing runs yet. 0, or a negative errno with err */
int kernel_summary_open(struct kernel_summary *k, const struct kernel_summary_opts *o, struct err *err);
int kernel_summary_attach(struct kernel_summary *k, struct err *err);
void kernel_summary_detach(struct kernel_summary *k);
/* what was counted becomes the numbers of t's summary */
void kernel_summary_add(const struct kernel_summary *k, struct trace *t);
/* calls, or parts of their numbers, that found no room in a table */
u64 kernel_summary_missed(const struct kernel_summary *k);
void kernel_summary_close(struct kernel_summary *k);

#endif
