/*
 * Watched: which tasks the programs of a set look at: all, or the threads in a map and the tasks that they
 * create. The programs include watched.bpf.h; here their constants and maps are filled.
 *
 *	watched_prepare(&s, &opts, &settings.watched, err);	before loading
 *	bpf_set_load(&s, rows, nr, err);		rows begin with WATCHED_END (or
 *							WATCHED_LIST_END) and WATCHED_FORK
 *	watched_fill(&s, &opts, err);			after loading
 *	watched_add(&s, tid);
 */
#ifndef PERF_BPF_WATCHED_H
#define PERF_BPF_WATCHED_H

#include "set.h"
#include "watched-types.h"

struct target;

struct watched_opts {
	bool all;		/* every task; else those that watched_add() names */
	bool inherit;		/* and the tasks that they create */
	u32 not_pid;		/* a process that is never looked at: the tracer; 0: none */
	const s32 *not_tid;	/* nr_not_tid threads that are not, either */
	u32 nr_not_tid;
	/* only tasks in this cgroup of the hierarchy of version 2 and those below it; NULL: any */
	const char *cgroup;
};

/* a task that ends is removed from the map of tasks, and from those of the program */
#define WATCHED_END { "perf_end", BPF_AT_RAW_TRACEPOINT, "sched_process_exit" }
/* the same where the program has no such map */
#define WATCHED_LIST_END(o) { "perf_end", BPF_AT_RAW_TRACEPOINT, "sched_process_exit", (o)->all }
/* it only adds to the map of tasks, which nobody reads after the end */
#define WATCHED_FORK(o) \
	{ "perf_fork", BPF_AT_TRACEPOINT, "sched:sched_process_fork", (o)->all || !(o)->inherit, true }

int watched_prepare(struct bpf_set *s, const struct watched_opts *o, struct watched_settings *ret,
		    struct err *err);
int watched_fill(struct bpf_set *s, const struct watched_opts *o, struct err *err);
/* a thread, and if o->inherit the tasks that it creates from now on */
int watched_add(struct bpf_set *s, u32 tid);
/* the threads of a target, unless all are looked at */
int watched_add_target(struct bpf_set *s, const struct watched_opts *o, const struct target *t,
		       struct err *err);

#endif
