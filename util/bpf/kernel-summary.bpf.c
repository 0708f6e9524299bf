/*
 * Kernel-summary.bpf: counts system calls. util/trace/kernel-summary.h says what that is for. Raw
 * tracepoints: sys_enter has the registers and the number of the call, sys_exit the registers and the result.
 */
#include "common.bpf.h"
#include "kernel-summary-types.h"

const volatile struct kernel_summary_settings settings;

#include "call-regs.bpf.h"
#include "no-room.bpf.h"
#include "watched.bpf.h"

/* as in base/histogram.h */
#define HISTOGRAM_STEPS 8
#define NAMES_NS 1000000		/* how long a name of a task is taken as current */
#define ERRNO_MAX 4095

/* by thread */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, WATCHED_MAX);
	__type(key, u32);
	__type(value, struct summary_call);
} pending SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2 * SUMMARY_RULES);
	__type(key, u32);
	__type(value, u32);
} rules SEC(".maps");

/* kernel-summary.c creates these two: of a thread there is one entry, of groups one on each CPU */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(struct kernel_summary_key));
	__uint(value_size, sizeof(struct kernel_summary_entry));
} entries SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(struct kernel_summary_key));
	__uint(value_size, sizeof(u64));
} counts SEC(".maps");

static __always_inline void task_ended(u32 tid)
{
	bpf_map_delete_elem(&pending, &tid);
}

static __always_inline struct kernel_summary_key key_of(u32 nr, u32 part)
{
	u64 group = settings.by_cgroup ? bpf_get_current_cgroup_id() :
		    settings.by_thread ? current_task().tid : 0;

	return (struct kernel_summary_key){ group, nr, part };
}

static __always_inline struct kernel_summary_entry *find_entry(const struct kernel_summary_key *key)
{
	const struct kernel_summary_entry new = { .min = -1 };

	return find_or_make(&entries, key, &new);
}

/* the name can change (execve, prctl), and costs as much as the rest */
static __always_inline void note_task(struct kernel_summary_entry *e, u64 now)
{
	if (now - e->named_ns < NAMES_NS)
		return;
	e->named_ns = now;
	e->pid = current_task().pid;
	bpf_get_current_comm(e->comm, sizeof(e->comm));
}

static __always_inline void count_part(struct kernel_summary_key *key, u32 part)
{
	u64 *nr, one = 1;

	key->part = part;
	nr = bpf_map_lookup_elem(&counts, key);
	if (!nr) {
		if (!bpf_map_update_elem(&counts, key, &one, BPF_NOEXIST))
			return;
		/* another CPU was faster, or there is no room */
		nr = bpf_map_lookup_elem(&counts, key);
	}
	if (nr)
		__sync_fetch_and_add(nr, 1);
	else
		count_no_room();
}

/* as in base/histogram.c: small values, then steps per power of two */
static __always_inline u32 bucket_of(u64 ns)
{
	u64 v = ns, log = 0;

	if (ns < HISTOGRAM_STEPS)
		return ns;
#pragma unroll
	for (u32 step = 32; step; step /= 2)
		if (v >> step) {
			v >>= step;
			log += step;
		}
	return (log - 2) * HISTOGRAM_STEPS + (ns >> (log - 3) & (HISTOGRAM_STEPS - 1));
}

/*
 * The square, in 128 bits. Below 2^32 ns it fits in 64 bits; longer durations are squared in units of 2^16
 * ns, so the square is in units of 2^32
 */
static __always_inline void add_square(struct kernel_summary_entry *e, u64 ns)
{
	u64 units = ns >> 16, low = ns * ns, high = 0;

	if (ns >> 32) {
		low = units * units << 32;
		high = units * units >> 32;
	}
	e->squares_low += low;
	e->squares_high += high + (e->squares_low < low);
}

static __always_inline u32 rule_of(u64 nr, bool compat)
{
	u32 i = (nr < SUMMARY_RULES ? nr : SUMMARY_RULES - 1) + (compat ? SUMMARY_RULES : 0);
	u32 *rule = bpf_map_lookup_elem(&rules, &i);

	return rule ? *rule : 0;
}

/* a call that does not return is counted when it begins */
static __always_inline void count_start(const struct summary_call *call)
{
	const struct kernel_summary_key key = key_of(call->nr, call->part);
	struct kernel_summary_entry *e = find_entry(&key);

	if (!e)
		return;
	note_task(e, call->enter_ns);
	e->calls++;
}

SEC("raw_tracepoint/sys_enter")
int perf_enter(u64 *ctx)
{
	/* the registers that tell the kind of call are not far from each other */
	u32 from = settings.regs.compat_insn ? settings.regs.next_copy : settings.regs.compat_at, rule;
	struct summary_call call = { .nr = ctx[1] };
	struct watched_task task;
	u64 regs[8] = { 0 };

	if (!watch(&task))
		return 1;
	if (read_kernel(regs, settings.regs.compat_at + 8 - from, ctx[0] + from))
		return 1;
	if (is_compat(regs, from))
		call.part = KERNEL_SUMMARY_COMPAT;
	rule = rule_of(ctx[1], call.part);
	if (!rule)
		return 1;
	call.enter_ns = bpf_ktime_get_ns();
	if (rule & SUMMARY_NO_RETURN)
		count_start(&call);
	else if (bpf_map_update_elem(&pending, &task.kernel_tid, &call, BPF_ANY))
		count_no_room();
	return 1;
}

static __always_inline void count_end(struct kernel_summary_key *key, u64 ns, u64 now, s64 result)
{
	struct kernel_summary_entry *e = find_entry(key);
	u32 part = key->part;

	if (!e)
		return;
	note_task(e, now);
	/* an entry belongs to a thread or a CPU, so nobody else changes it */
	e->calls++;
	e->timed++;
	e->total += ns;
	if (ns < e->min)
		e->min = ns;
	if (ns > e->max)
		e->max = ns;
	add_square(e, ns);
	if (result < 0 && result >= -ERRNO_MAX)
		e->errors++;
	count_part(key, part | KERNEL_SUMMARY_BUCKET | bucket_of(ns));
	if (result < 0 && result >= -ERRNO_MAX)
		count_part(key, part | KERNEL_SUMMARY_ERROR | -result);
}

SEC("raw_tracepoint/sys_exit")
int perf_exit(u64 *ctx)
{
	u32 tid = bpf_get_current_pid_tgid();
	struct summary_call *call = bpf_map_lookup_elem(&pending, &tid);
	struct kernel_summary_key key;
	u64 begin, now;

	if (!call || !call->enter_ns)
		return 1;
	begin = call->enter_ns;
	call->enter_ns = 0;
	key = key_of(call->nr, call->part);
	now = bpf_ktime_get_ns();
	count_end(&key, now - begin, now, ctx[1]);
	return 1;
}
