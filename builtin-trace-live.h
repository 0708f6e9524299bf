/* What the files of perf trace on live systems share: builtin-trace-live.c and builtin-trace-bpf.c. */
#ifndef PERF_BUILTIN_TRACE_LIVE_H
#define PERF_BUILTIN_TRACE_LIVE_H

#include "builtin-trace.h"
#include "util/kernel/cgroup.h"
#include "util/trace/kernel-summary.h"
#include "util/tracing/live.h"

struct trace_observer {
	struct trace_cmd *c;
	struct observer ob;
	struct event_cgroups cgroup;
	struct tracing_live *tracing;
	u32 nr_typed;			/* events of -e; the events of perf trace follow */
	bool in_kernel;			/* BPF programs record the calls */
	struct err why_not;		/* or why they do not */
	u32 kernel_event;		/* into the rings of this event */
	struct kernel_calls kernel;
	bool counted;			/* BPF programs count the calls */
	struct kernel_summary summary;
};

/* why BPF programs cannot record the calls as asked for, such as "not with -G"; NULL: they can */
const char *trace_why_not_recorded(const struct trace_observer *l);
/* they are loaded, with the events that they need. 0, or a negative errno with err */
int trace_add_kernel(struct trace_observer *l, struct err *err);
/* and know what to do with each call, by the prototypes of l->c->trace.text. As above */
int trace_set_rules(struct trace_observer *l, struct err *err);
/* --force-btf, but calls are not recorded by BPF programs; why: the reason */
int trace_refuse_force_btf(const struct err *why, struct err *err);
/* what the programs wrote into rings of their own comes to the samples that wait for tracing_live_read() */
void trace_read_calls(struct trace_observer *l);
int trace_open_kernel_output(struct trace_observer *l, struct observer *ob, struct err *err);
/* why BPF programs cannot count what the summary shows; NULL: they can */
const char *trace_why_not_counted(const struct trace_observer *l);
int trace_add_counting(struct trace_observer *l, struct err *err);
/* what they counted becomes the summary */
void trace_end_counting(struct trace_observer *l);

#endif
