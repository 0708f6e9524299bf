/*
 * Observe: the rows of a command on what happens now, instead of on a file: opens their events, runs their
 * handlers on the rings (live.h), and ends as every observation does (observe/observer.h). A command whose
 * BPF programs count in the kernel has no rows: an event that never occurs then observes the target, and the
 * session has the names of tasks and functions.
 */
#ifndef PERF_TRACING_OBSERVE_H
#define PERF_TRACING_OBSERVE_H

#include "tracing.h"
#include "../observe/observer.h"
#include "../observe/sample-attr.h"

/* what a command does; NULL: nothing */
struct tracing_observe_ops {
	/* the target is known, nothing is open */
	int (*before)(void *ctx, const struct target *t, struct err *err);
	/* the session has names, nothing was recorded */
	int (*ready)(void *ctx, struct session *s, struct err *err);
	/* the observation begins: the programs are attached */
	int (*begin)(void *ctx, const struct target *t, struct err *err);
	/* every refresh_ms while it observes: all that has been handled so far can be shown */
	int (*refresh)(void *ctx, struct session *s, struct err *err);
	/* it ends: the programs are detached. Also after a failure */
	void (*stop)(void *ctx);
	/* all has been handled. Not after a failure */
	int (*end)(void *ctx, struct session *s, struct err *err);
};

struct tracing_observe {
	struct observe_opts observe;	/* its set belongs to tracing_observe() */
	struct sample_attr_opts attr;
	struct tracing_opts *tracing;	/* rows, their handlers and filters */
	struct sym_opts sym;
	bool kernel, maps, cgroups;	/* names of: functions of the kernel, all functions, control groups */
	const struct tracing_observe_ops *ops;
	void *ctx;			/* of the operations */
	u32 refresh_ms;
	struct workload_result command;	/* a result: how it ended */
};
/* samples have times and CPUs; no BPF programs are told */
void tracing_observe_init(struct tracing_observe *t, struct tracing_opts *o);
/* 0, or a negative errno with err */
int tracing_observe(struct tracing_observe *t, struct err *err);
void tracing_observe_release(struct tracing_observe *t);

#endif
