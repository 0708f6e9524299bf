/*
 * Kernel-lines: system calls that BPF programs recorded (kernel-calls.h), as the same lines and summaries as
 * those of tracepoints, with what arguments point to.
 */
#ifndef PERF_TRACE_KERNEL_LINES_H
#define PERF_TRACE_KERNEL_LINES_H

#include "kernel-calls.h"
#include "trace.h"

/*
 * What the programs do with each call: record those that are wanted, or that change what descriptors are open
 * on (followed), and read as much as a line shows. rule: 2 * KERNEL_CALLS_NR_MAX of them, all 0
 */
void trace_kernel_rules(const struct trace_opts *o, const struct syscall_set *followed,
			struct kernel_call_rule *rule);
/* a sample of the event of BPF output */
void trace_kernel_call(struct trace *t, const struct tracing_sample *ts);
/* a call that has not returned at the end */
void trace_kernel_pending(struct trace *t, const struct kernel_call *call);

#endif
