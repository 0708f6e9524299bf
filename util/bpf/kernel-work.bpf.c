/*
 * Kernel-work.bpf: notes when interrupts, softirqs and works are raised and begin, and adds up how long each
 * kind waited and ran. util/kwork/kernel-work.h says what that is for. The first argument of a raw
 * tracepoint is the number of the interrupt or softirq, or the address of the work.
 */
#include "common.bpf.h"
#include "kernel-work-types.h"

const volatile struct kernel_work_settings settings;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, KERNEL_WORK_MAX);
	__type(key, struct open_work_key);
	__type(value, struct open_work);
} open SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, KERNEL_WORK_MAX);
	__type(key, struct kernel_work_key);
	__type(value, struct kernel_work_entry);
} work SEC(".maps");

#include "no-room.bpf.h"

static __always_inline struct open_work_key key_of(u32 class, u64 id)
{
	return (struct open_work_key){ id, class, class == KWORK_WORKQUEUE ? 0 : bpf_get_smp_processor_id() };
}

static __always_inline struct open_work *find_open(const struct open_work_key *key)
{
	const struct open_work new = { 0 };

	return find_or_make(&open, key, &new);
}

/* the entry of the open work's kind on this CPU */
static __always_inline struct kernel_work_entry *find_entry(const struct open_work_key *key,
							     const struct open_work *o)
{
	const struct kernel_work_key of = { key->id, o->function, key->class, bpf_get_smp_processor_id() };
	const struct kernel_work_entry new = { 0 };

	return find_or_make(&work, &of, &new);
}

/* an entry is of one CPU, so nobody else changes it */
static __always_inline void add_time(struct kwork_times *t, u64 from, u64 now)
{
	u64 ns = now - from;

	if (from > now)
		return;
	t->total += ns;
	t->nr++;
	if (ns < t->max)
		return;
	t->max = ns;
	t->max_start = from;
	t->max_end = now;
}

static __always_inline void raise(u32 class, u64 id)
{
	u64 now = bpf_ktime_get_ns();
	struct open_work_key key = key_of(class, id);
	struct open_work *o = find_open(&key);

	/* raised again before it runs: the first raise counts */
	if (o && !o->raise)
		o->raise = now;
}

static __always_inline void enter(u32 class, u64 id, u64 function)
{
	u64 now = bpf_ktime_get_ns(), raised;
	struct open_work_key key = key_of(class, id);
	struct open_work *o = find_open(&key);
	struct kernel_work_entry *e;

	if (!o)
		return;
	o->entry = now;
	o->function = function;
	raised = o->raise;
	if (!raised)
		return;
	e = find_entry(&key, o);
	if (!e)
		return;
	o->raise = 0;
	add_time(&e->delay, raised, now);
}

static __always_inline void leave(u32 class, u64 id)
{
	u64 now = bpf_ktime_get_ns();
	struct open_work_key key = key_of(class, id);
	struct open_work *o = bpf_map_lookup_elem(&open, &key);
	struct kernel_work_entry *e;

	if (!o || !o->entry)
		return;
	e = find_entry(&key, o);
	if (e)
		add_time(&e->run, o->entry, now);
	o->entry = 0;
	/* works live in allocated memory: the entry goes unless it was raised again */
	if (class == KWORK_WORKQUEUE && !o->raise)
		bpf_map_delete_elem(&open, &key);
}

#define AT(name, tracepoint, call) \
	SEC("raw_tracepoint/" tracepoint) \
	int name(u64 *ctx) \
	{ \
		call; \
		return 1; \
	}
AT(perf_irq_enter, "irq_handler_entry", enter(KWORK_IRQ, (u32)ctx[0], 0))
AT(perf_irq_leave, "irq_handler_exit", leave(KWORK_IRQ, (u32)ctx[0]))
AT(perf_softirq_raise, "softirq_raise", raise(KWORK_SOFTIRQ, (u32)ctx[0]))
AT(perf_softirq_enter, "softirq_entry", enter(KWORK_SOFTIRQ, (u32)ctx[0], 0))
AT(perf_softirq_leave, "softirq_exit", leave(KWORK_SOFTIRQ, (u32)ctx[0]))
AT(perf_work_raise, "workqueue_activate_work", raise(KWORK_WORKQUEUE, ctx[0]))
AT(perf_work_leave, "workqueue_execute_end", leave(KWORK_WORKQUEUE, ctx[0]))

/* the function of the work is only in the payload */
SEC("tracepoint/workqueue/workqueue_execute_start")
int perf_work_enter(void *ctx)
{
	enter(KWORK_WORKQUEUE, payload_u64(ctx, settings.work), payload_u64(ctx, settings.function));
	return 1;
}
