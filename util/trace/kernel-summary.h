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
#include "../bpf/kernel-summary-types.h"
#include "../bpf/watched.h"

#define KERNEL_SUMMARY_ENTRIES 16384u	/* pairs of a thread or group and a call */
#define KERNEL_SUMMARY_COUNTS 65536u	/* buckets of durations and errors, of all pairs together */
#define KERNEL_SUMMARY_SYSTEM 8u	/* times as many of both for the whole system, made when needed */

struct kernel_summary_opts {
	const struct kernel_call_rule *rule;	/* 2 * KERNEL_CALLS_NR_MAX of them: wanted, NO_RETURN */
	enum trace_summary_mode mode;
	bool all_wanted;		/* no rule has wanted == 0 */
	struct watched_opts tasks;
};

struct kernel_summary {
	struct watched_opts tasks;
	struct bpf_set set;
	struct bpf_map entries, counts;
	bool attached;
};
#define KERNEL_SUMMARY_INIT { .entries = BPF_MAP_INIT, .counts = BPF_MAP_INIT }

/* all is loaded, nothing runs yet. 0, or a negative errno with err */
int kernel_summary_open(struct kernel_summary *k, const struct kernel_summary_opts *o, struct err *err);
/* also the threads of a target; from now on calls are counted */
int kernel_summary_attach(struct kernel_summary *k, const struct target *t, struct err *err);
void kernel_summary_detach(struct kernel_summary *k);
/* what was counted becomes the numbers of t's summary */
void kernel_summary_add(const struct kernel_summary *k, struct trace *t);
/* calls, or parts of their numbers, that found no room in a table */
u64 kernel_summary_missed(const struct kernel_summary *k);
void kernel_summary_close(struct kernel_summary *k);

#endif
