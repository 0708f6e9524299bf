/*
 * Kernel-top.bpf: the CPU time of tasks, interrupts and softirqs, on each CPU as util/kwork/top.c adds it up
 * from events.
 */
#include "common.bpf.h"
#include "kernel-work-types.h"

const volatile struct kernel_top_settings settings;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct kernel_cpu);
} cpu SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, KERNEL_WORK_MAX);
	__type(key, struct kernel_share_key);
	__type(value, struct kernel_share);
} share SEC(".maps");

#include "no-room.bpf.h"

static __always_inline struct kernel_cpu *this_cpu(void)
{
	u32 first = 0;

	return bpf_map_lookup_elem(&cpu, &first);
}

static __always_inline void enter(struct kernel_cpu *c, u64 *entry)
{
	u64 now = bpf_ktime_get_ns();

	*entry = now;
	if (!c->depth)
		c->outer = now;
	c->depth++;
}

static __always_inline void leave(struct kernel_cpu *c, u64 *entry, u64 *total)
{
	u64 now = bpf_ktime_get_ns(), from;

	if (!*entry)
		return;
	*total += now - *entry;
	*entry = 0;
	if (!c->depth || --c->depth || !c->known)
		return;
	/* the outermost one has ended: its time is not that of the task */
	from = c->outer > c->since ? c->outer : c->since;
	if (from < now)
		c->stolen += now - from;
}

SEC("raw_tracepoint/irq_handler_entry")
int perf_irq_enter(void *ctx)
{
	struct kernel_cpu *c = this_cpu();

	if (c)
		enter(c, &c->irq_entry);
	return 1;
}

SEC("raw_tracepoint/irq_handler_exit")
int perf_irq_leave(void *ctx)
{
	struct kernel_cpu *c = this_cpu();

	if (c)
		leave(c, &c->irq_entry, &c->irq);
	return 1;
}

SEC("raw_tracepoint/softirq_entry")
int perf_softirq_enter(void *ctx)
{
	struct kernel_cpu *c = this_cpu();

	if (c)
		enter(c, &c->softirq_entry);
	return 1;
}

SEC("raw_tracepoint/softirq_exit")
int perf_softirq_leave(void *ctx)
{
	struct kernel_cpu *c = this_cpu();

	if (c)
		leave(c, &c->softirq_entry, &c->softirq);
	return 1;
}

/* the task that stops running ran for ns */
static __always_inline void add_share(void *ctx, s32 tid, u64 ns)
{
	const struct kernel_share_key key = { tid, bpf_get_smp_processor_id() };
	const struct kernel_share new = { 0 };
	struct kernel_share *s = find_or_make(&share, &key, &new);

	if (!s)
		return;
	s->ns += ns;
	bpf_probe_read_kernel(s->comm, sizeof(s->comm), ctx + settings.prev_comm);
}

SEC("tracepoint/sched/sched_switch")
int perf_switch(void *ctx)
{
	u64 now = bpf_ktime_get_ns(), ns;
	s32 prev = payload_u32(ctx, settings.prev_pid);
	struct kernel_cpu *c = this_cpu();

	if (!c)
		return 1;
	ns = now - c->since;
	/* after a lost switch nobody knows who ran since when */
	if (c->known && c->current == prev)
		add_share(ctx, prev, ns > c->stolen ? ns - c->stolen : 0);
	else if (c->known)
		c->unknown += ns;
	if (!c->first)
		c->first = now;
	c->last = c->since = now;
	c->stolen = 0;
	/* no task is switched inside of an interrupt */
	c->depth = 0;
	c->known = 1;
	c->current = payload_u32(ctx, settings.next_pid);
	return 1;
}
