/*
 * Watched.bpf: which tasks a BPF program looks at: all, or the threads of a map and the tasks that they
 * create. A program that includes this defines `settings`, with a member `watched`, before it, and
 * task_ended(), which removes a thread that ends from the program's own maps.
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

struct watched_task {
	u32 pid, tid;
};

/* the current task; false if it is not looked at */
static __always_inline bool watch(struct watched_task *ret)
{
	u64 id = bpf_get_current_pid_tgid();
	u32 tid = id, pid = id >> 32;

	*ret = (struct watched_task){ pid, tid };
	if (settings.watched.not_pid && pid == settings.watched.not_pid)
		return false;
	if (settings.watched.leaves_out && bpf_map_lookup_elem(&unwatched, &tid))
		return false;
	if (settings.watched.in_cgroup && bpf_current_task_under_cgroup(&cgroup, 0) != 1)
		return false;
	return settings.watched.all || bpf_map_lookup_elem(&watched, &tid);
}

static __always_inline void task_ended(u32 tid);

/* a task is created */
SEC("tracepoint/sched/sched_process_fork")
int perf_fork(void *ctx)
{
	u32 tid = bpf_get_current_pid_tgid(), child, yes = 1;

	if (bpf_map_lookup_elem(&watched, &tid)) {
		child = payload_u32(ctx, settings.watched.child_pid);
		bpf_map_update_elem(&watched, &child, &yes, BPF_ANY);
	}
	return 1;
}

SEC("raw_tracepoint/sched_process_exit")
int perf_end(void *ctx)
{
	u32 tid = bpf_get_current_pid_tgid();

	task_ended(tid);
	if (!settings.watched.all)
		bpf_map_delete_elem(&watched, &tid);
	return 1;
}

#endif
