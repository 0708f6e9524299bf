/*
 * Watched.bpf: which tasks a BPF program looks at: all, or the threads of a map and the tasks that they
 * create. A program that includes this defines `settings`, with a member `watched`, before it, and
 * task_ended(), which removes a thread that ends from the program's own maps; their keys are the kernel's own
 * numbers of threads, and what is told to perf are the numbers in its PID namespace.
 */
#ifndef PERF_BPF_WATCHED_BPF_H
#define PERF_BPF_WATCHED_BPF_H

#include "common.bpf.h"
#include "watched-types.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} watched SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} unwatched SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} cgroup SEC(".maps");

/* pid and tid as perf sees them, -1 outside of its PID namespace; kernel_tid as tracepoints have it */
struct watched_task {
	u32 pid, tid, kernel_tid;
};

static __always_inline struct watched_task current_task(void)
{
	u64 id = bpf_get_current_pid_tgid();
	struct watched_task task = { .pid = id >> 32, .tid = id, .kernel_tid = id };
	struct bpf_pidns_info own = { 0 };

	if (!settings.watched.ns_inode)
		return task;
	if (bpf_get_ns_current_pid_tgid(settings.watched.ns_dev, settings.watched.ns_inode, &own,
					sizeof(own))) {
		task.pid = task.tid = -1;
	} else {
		task.pid = own.tgid;
		task.tid = own.pid;
	}
	return task;
}

static __always_inline bool is_in_map(const struct watched_task *task)
{
	u32 key = task->kernel_tid | WATCHED_KERNEL_TID;

	return bpf_map_lookup_elem(&watched, &task->tid) ||
	       (settings.watched.ns_inode && bpf_map_lookup_elem(&watched, &key));
}

/* the current task; false if it is not looked at */
static __always_inline bool watch(struct watched_task *ret)
{
	*ret = current_task();
	if (settings.watched.not_pid && ret->pid == settings.watched.not_pid)
		return false;
	if (settings.watched.leaves_out && bpf_map_lookup_elem(&unwatched, &ret->tid))
		return false;
	if (settings.watched.in_cgroup && bpf_current_task_under_cgroup(&cgroup, 0) != 1)
		return false;
	return settings.watched.all || is_in_map(ret);
}

static __always_inline void task_ended(u32 tid);
/* a task is watched after the tracepoint of its end, too: the program stops that when it leaves its CPU */
#ifndef WATCHED_RUNS_ON
#define WATCHED_RUNS_ON 0
#endif

/* a task is created */
SEC("tracepoint/sched/sched_process_fork")
int perf_fork(void *ctx)
{
	struct watched_task task = current_task();
	u32 child, yes = 1;

	if (is_in_map(&task)) {
		child = payload_u32(ctx, settings.watched.child_pid);
		if (settings.watched.ns_inode)
			child |= WATCHED_KERNEL_TID;
		bpf_map_update_elem(&watched, &child, &yes, BPF_ANY);
	}
	return 1;
}

SEC("raw_tracepoint/sched_process_exit")
int perf_end(void *ctx)
{
	struct watched_task task = current_task();
	u32 key = task.kernel_tid | WATCHED_KERNEL_TID;

	task_ended(task.kernel_tid);
	if (settings.watched.all || WATCHED_RUNS_ON)
		return 1;
	bpf_map_delete_elem(&watched, &task.tid);
	if (settings.watched.ns_inode)
		bpf_map_delete_elem(&watched, &key);
	return 1;
}

#endif
