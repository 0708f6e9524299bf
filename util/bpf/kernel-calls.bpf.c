/*
 * Kernel-calls.bpf: records system calls. util/trace/kernel-calls.h says what that is for. Raw tracepoints:
 * sys_enter has the registers and the number of the call, sys_exit the registers and the result.
 */
#include "common.bpf.h"
#include "kernel-calls-types.h"

const volatile struct kernel_calls_settings settings;

#include "call-data.bpf.h"
#include "inplace.bpf.h"
#include "no-room.bpf.h"
#include "watched.bpf.h"

/* by thread */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, WATCHED_MAX);
	__type(key, u32);
	__type(value, struct pending_call);
} pending SEC(".maps");

/* by number, and for 32-bit programs KERNEL_CALLS_NR_MAX more */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2 * KERNEL_CALLS_NR_MAX);
	__type(key, u32);
	__type(value, struct kernel_call_rule);
} rules SEC(".maps");

/* where records are built, but for CALLS_IN_PLACE */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct call_room);
} room SEC(".maps");

/* CALLS_TO_SAMPLES */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(u32));
} output SEC(".maps");

/* CALLS_TO_RINGS, and CALLS_IN_PLACE to wake the reader; kernel-calls.c creates these two, by CPU */
#define RINGS(name) \
	struct { \
		__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS); \
		__uint(max_entries, 1); \
		__uint(key_size, sizeof(u32)); \
		__uint(value_size, sizeof(u32)); \
	} name SEC(".maps")
RINGS(rings);
/* CALLS_IN_PLACE */
RINGS(rings_inplace);

static __always_inline void task_ended(u32 tid)
{
	bpf_map_delete_elem(&pending, &tid);
}

/* larger numbers have the rule of the last one: calls that nobody knows */
static __always_inline struct kernel_call_rule *rule_of(u32 nr, u32 flags)
{
	u32 i = nr < KERNEL_CALLS_NR_MAX ? nr : KERNEL_CALLS_NR_MAX - 1;

	if (flags & KERNEL_CALL_IS_COMPAT)
		i += KERNEL_CALLS_NR_MAX;
	return bpf_map_lookup_elem(&rules, &i);
}

/* neither 64-bit nor 32-bit programs' calls of this number are wanted */
static __always_inline bool is_unwanted(u32 nr)
{
	const struct kernel_call_rule *rule = rule_of(nr, 0);

	if (rule && rule->wanted)
		return false;
	rule = rule_of(nr, KERNEL_CALL_IS_COMPAT);
	return !rule || !rule->wanted;
}

static __always_inline void note_arguments(struct pending_call *call, const void *regs)
{
	if (call->flags & KERNEL_CALL_IS_COMPAT) {
#pragma unroll
		for (u32 i = 0; i < KERNEL_CALLS_ARGS; i++)
			call->arg[i] = *(const u32 *)(regs + settings.regs.compat_arg[i]);
	} else {
#pragma unroll
		for (u32 i = 0; i < KERNEL_CALLS_ARGS; i++)
			call->arg[i] = *(const u64 *)(regs + settings.regs.arg[i]);
	}
}

/* ---- records ---- */

struct call_record {
	struct call_room *room;
	struct bpf_inplace_head *head;	/* of the ring, in place */
};

/* filled from the call, but for the result; false without room */
static __always_inline bool begin_record(struct call_record *rec, const struct pending_call *call)
{
	u32 first = 0;
	struct call_room *r;

	rec->head = NULL;
	if (settings.output == CALLS_IN_PLACE)
		r = inplace_begin(&rings_inplace, settings.size, settings.room, &rec->head);
	else
		r = bpf_map_lookup_elem(&room, &first);
	if (!r)
		return false;
	r->head.enter_ns = call->enter_ns;
#pragma unroll
	for (u32 i = 0; i < KERNEL_CALLS_ARGS; i++)
		r->head.arg[i] = call->arg[i];
	r->head.nr = call->nr;
	r->head.flags = call->flags;
	r->head.pid = call->pid;
	r->head.tid = call->tid;
	__builtin_memset(r->head.len, 0, sizeof(r->head.len));
	r->head.nr_parts = 0;
	set_appended(r, 0);
	rec->room = r;
	return true;
}

static __always_inline void wake_reader(void)
{
	u32 cpu = bpf_get_smp_processor_id();
	void *ring = bpf_map_lookup_elem(&rings, &cpu);

	/* too short for a record */
	if (ring)
		bpf_ringbuf_output(ring, &cpu, sizeof(cpu), BPF_RB_FORCE_WAKEUP);
}

static __always_inline void write_to_ring(struct call_room *r, u64 size)
{
	u32 cpu = bpf_get_smp_processor_id();
	void *ring = bpf_map_lookup_elem(&rings, &cpu);
	u64 flags = BPF_RB_NO_WAKEUP;

	if (!ring)
		return;
	r->unread += size;
	if (r->unread >= settings.wake_bytes) {
		r->unread = 0;
		flags = BPF_RB_FORCE_WAKEUP;
	}
	if (bpf_ringbuf_output(ring, r, size, flags))
		r->lost++;
}

/* head and data go to the reader */
static __always_inline void end_record(void *ctx, struct call_record *rec)
{
	struct call_room *r = rec->room;
	u64 size = appended(r);

	if (size > sizeof(r->data))
		size = 0;
	size += sizeof(struct kernel_call);
	if (settings.output == CALLS_TO_SAMPLES) {
		bpf_perf_event_output(ctx, &output, BPF_F_CURRENT_CPU, r, size);
		return;
	}
	r->head.end_ns = bpf_ktime_get_ns();
	if (settings.output == CALLS_TO_RINGS)
		write_to_ring(r, size);
	else if (inplace_end(rec->head, r, size, settings.size, settings.wake_bytes))
		wake_reader();
}

/* exit never returns, and exec replaces the memory of its arguments: a record of the start */
static __always_inline void record_start(void *ctx, const struct pending_call *call,
					 const struct kernel_call_rule *rule)
{
	struct call_record rec;

	if (!begin_record(&rec, call))
		return;
	rec.room->head.ret = 0;
	rec.room->head.flags |= KERNEL_CALL_IS_OPEN;
	append_arguments(rec.room, rule);
	end_record(ctx, &rec);
}

/* ---- programs ---- */

/* the thread's call; NULL: nobody looks at the thread. One that has an entry was chosen before */
static __always_inline struct pending_call *choose_thread(struct pending_call *call)
{
	struct pending_call new = { 0 };
	struct watched_task task;

	if (call)
		return call;
	if (!watch(&task))
		return NULL;
	new.pid = task.pid;
	new.tid = task.tid;
	return find_or_make(&pending, &task.kernel_tid, &new);
}

SEC("raw_tracepoint/sys_enter")
int perf_enter(u64 *ctx)
{
	u64 regs[CALL_REGS_SIZE_MAX / sizeof(u64)], nr = ctx[1];
	u32 tid = bpf_get_current_pid_tgid(), flags;
	struct kernel_call_rule *rule;
	struct pending_call *call;

	/* negative ones are calls that a tracer or a filter has taken away */
	if (nr > 0x7fffffff)
		return 1;
	/* the cheapest test first: with -e most calls end here */
	if (!settings.all_wanted && is_unwanted(nr))
		return 1;
	call = choose_thread(bpf_map_lookup_elem(&pending, &tid));
	if (!call || read_kernel(regs, settings.regs.size, ctx[0]))
		return 1;
	flags = is_compat(regs, 0) ? KERNEL_CALL_IS_COMPAT : 0;
	rule = rule_of(nr, flags);
	if (!rule || !rule->wanted)
		return 1;
	call->flags = flags;
	note_arguments(call, regs);
	call->nr = nr;
	call->enter_ns = bpf_ktime_get_ns();
	if (rule->flags & (KERNEL_CALL_NO_RETURN | KERNEL_CALL_REPLACES_MEMORY)) {
		call->state = rule->flags & KERNEL_CALL_REPLACES_MEMORY;
		record_start(ctx, call, rule);
	} else {
		call->state = 1;
	}
	return 1;
}

/* --failure, --duration */
static __always_inline bool is_dropped(const struct kernel_call_rule *rule, const struct pending_call *call,
				       s64 result)
{
	if (rule->flags & KERNEL_CALL_ALWAYS)
		return false;
	if (settings.failed_only && result >= 0)
		return true;
	return settings.min_ns && bpf_ktime_get_ns() - call->enter_ns < settings.min_ns;
}

SEC("raw_tracepoint/sys_exit")
int perf_exit(u64 *ctx)
{
	u32 tid = bpf_get_current_pid_tgid();
	/* only of tasks that are traced */
	struct pending_call *call = bpf_map_lookup_elem(&pending, &tid);
	s64 result = ctx[1];
	struct kernel_call_rule *rule;
	struct call_record rec;

	if (!call || !call->state)
		return 1;
	call->state = 0;
	rule = rule_of(call->nr, call->flags);
	if (!rule || is_dropped(rule, call, result) || !begin_record(&rec, call))
		return 1;
	rec.room->head.ret = result;
	if (rule->flags & KERNEL_CALL_REPLACES_MEMORY && result >= 0) {
		append_new_program(rec.room, rule, ctx[0]);
	} else {
		append_arguments(rec.room, rule);
		append_parts(rec.room, rule);
	}
	end_record(ctx, &rec);
	return 1;
}
