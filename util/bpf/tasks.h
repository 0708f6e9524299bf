/*
 * Tasks: which tasks BPF programs look at: all, or the threads in a table and the tasks that they create. Two
 * programs keep the table: one adds the child of a listed task, one removes a task that ends, also from other
 * maps whose keys are threads. Owns the table and the programs.
 *
 * Programs of a command ask with bpf_tasks_choose(). The lists that a user gave are small, and a look-up
 * costs 20 ns, so it comes first.
 */
#ifndef PERF_BPF_TASKS_H
#define PERF_BPF_TASKS_H

#include "map.h"
#include "program.h"

#define BPF_TASKS_MAX 65536u

struct target;

struct bpf_tasks_opts {
	bool all;		/* every task; else those that bpf_tasks_add() names */
	bool inherit;		/* and the tasks that they create */
	u32 not_pid;		/* a process that is never looked at: the tracer; 0: none */
	const s32 *not_tid;	/* nr_not_tid threads that are not, either */
	u32 nr_not_tid;
	/* only tasks in this cgroup of the hierarchy of version 2 and those below it; NULL: any */
	const char *cgroup;
};

struct bpf_tasks {
	struct bpf_tasks_opts opts;
	struct bpf_map map, cgroup;
	struct bpf_prog fork, end;
};
#define BPF_TASKS_INIT \
	{ .map = BPF_MAP_INIT, .cgroup = BPF_MAP_INIT, .fork = BPF_PROG_INIT, .end = BPF_PROG_INIT }

/*
 * also: a map by thread (u32), from which a task that ends is removed, or NULL. 0, or a negative errno with
 * err; nothing runs yet
 */
int bpf_tasks_open(struct bpf_tasks *t, const struct bpf_tasks_opts *o, const struct bpf_map *also,
		   struct err *err);
int bpf_tasks_add(struct bpf_tasks *t, u32 tid);
/* the threads of a target, unless it is the system */
int bpf_tasks_add_target(struct bpf_tasks *t, const struct target *target, struct err *err);
int bpf_tasks_attach(struct bpf_tasks *t, struct err *err);
void bpf_tasks_detach(struct bpf_tasks *t);
void bpf_tasks_close(struct bpf_tasks *t);

/*
 * Code: stores the thread's number as u32 at the frame's place, and goes to `out` unless the task is looked
 * at. Then register 0 is its process; register `keep`, 6 to 9, is lost
 */
void bpf_tasks_choose(struct bpf_code *c, const struct bpf_tasks *t, s16 at_tid, u8 keep, u32 out);

#endif
