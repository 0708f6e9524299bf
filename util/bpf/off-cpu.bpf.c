/*
 * Off-cpu.bpf: at sched:sched_switch, notes the stack of a task that goes to sleep, and adds the time until
 * it runs again to the entry of thread and stack. util/record/off-cpu.h says what that is for.
 */
#include "common.bpf.h"
#include "off-cpu-types.h"

const volatile struct off_cpu_settings settings;

#include "watched.bpf.h"

/* bits of prev_state: interruptible and uninterruptible */
#define SLEEPING 3
#define SKIPPED 1		/* innermost frames of the kernel: that of the tracepoint */

/* by thread, which has one sleep at a time */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(struct off_cpu_sleep));
} sleeps SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(struct off_cpu_key));
	__uint(value_size, sizeof(struct off_cpu_total));
} totals SEC(".maps");

/* the stack has no room for a sleep */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct off_cpu_sleep);
} room SEC(".maps");

/* sleeps that found no room in the tables */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u64);
} lost SEC(".maps");

static __always_inline void task_ended(u32 tid)
{
	bpf_map_delete_elem(&sleeps, &tid);
}

static __always_inline void note_stack(void *ctx, struct off_cpu_key *key)
{
	u32 bytes = settings.max_frames * sizeof(key->ip[0]);

	/* the helper clears what it does not fill */
	key->in_kernel = 0;
	if (bpf_get_stack(ctx, key->ip, bytes, BPF_F_USER_STACK) > 0)
		return;
	key->in_kernel = 1;
	bpf_get_stack(ctx, key->ip, bytes, SKIPPED);
}

/* the current task leaves the CPU */
static __always_inline void begin_sleep(void *ctx)
{
	u32 first = 0;
	struct off_cpu_sleep *sleep;
	struct watched_task task;

	if (!watch(&task) || !task.kernel_tid || !(payload_u64(ctx, settings.prev_state) & SLEEPING))
		return;
	sleep = bpf_map_lookup_elem(&room, &first);
	if (!sleep)
		return;
	sleep->key.pid = task.pid;
	sleep->key.tid = task.tid;
	sleep->key.begin = 0;
	note_stack(ctx, &sleep->key);
	sleep->begin = bpf_ktime_get_ns();
	bpf_map_update_elem(&sleeps, &task.kernel_tid, sleep, BPF_ANY);
}

static __always_inline void add_sleep(const struct off_cpu_key *key, u64 ns, u64 now)
{
	struct off_cpu_total *total = bpf_map_lookup_elem(&totals, key), new = { ns, now };
	u32 first = 0;
	u64 *nr;

	if (!total) {
		if (!bpf_map_update_elem(&totals, key, &new, BPF_NOEXIST))
			return;
		/* another CPU was first, or the map is full */
		total = bpf_map_lookup_elem(&totals, key);
	}
	if (total) {
		__sync_fetch_and_add(&total->ns, ns);
		total->last = now;
		return;
	}
	nr = bpf_map_lookup_elem(&lost, &first);
	if (nr)
		__sync_fetch_and_add(nr, 1);
}

/* the task that gets the CPU may have slept */
static __always_inline void end_sleep(void *ctx)
{
	u32 tid = payload_u32(ctx, settings.next_pid);
	struct off_cpu_sleep *sleep = bpf_map_lookup_elem(&sleeps, &tid);
	u64 now, ns;

	if (!sleep)
		return;
	now = bpf_ktime_get_ns();
	ns = now - sleep->begin;
	if (ns >= settings.long_ns)
		sleep->key.begin = sleep->begin;
	add_sleep(&sleep->key, ns, now);
	bpf_map_delete_elem(&sleeps, &tid);
}

SEC("tracepoint/sched/sched_switch")
int perf_off_cpu(void *ctx)
{
	begin_sleep(ctx);
	end_sleep(ctx);
	return 1;
}
