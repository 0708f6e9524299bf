/*
 * Kernel-waits.bpf: pairs lock:contention_begin and lock:contention_end, and adds up the time between them.
 * util/lock/kernel-waits.h says what that is for. Raw tracepoints: the first argument is the address of the
 * lock; that of the begin has its flags, too.
 */
/* compare-and-swap, which all kernels with these tracepoints have */
#pragma clang attribute push(__attribute__((target("cpu=v3"))), apply_to = function)

#include "common.bpf.h"
#include "kernel-waits-types.h"

const volatile struct kernel_waits_settings settings;

#include "watched.bpf.h"

/* attempts to change a number that other CPUs change at the same time */
#define ATTEMPTS 4

/* waits that go on */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(struct wait_place));
	__uint(value_size, sizeof(struct open_wait));
} pending SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(struct kernel_wait_key));
	__uint(value_size, sizeof(struct kernel_wait));
} totals SEC(".maps");

/* the stack has no room for a wait */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(struct open_wait));
} room SEC(".maps");

/* by enum wait_counter */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, WAITS_NR_COUNTERS);
	__type(key, u32);
	__type(value, u64);
} counters SEC(".maps");

/* words that filters look up */
#define WORDS(name) \
	struct { \
		__uint(type, BPF_MAP_TYPE_HASH); \
		__uint(max_entries, 1); \
		__type(key, u64); \
		__type(value, u64); \
	} name SEC(".maps")
WORDS(locks);
WORDS(cpus);
WORDS(cgroups);
/* -J: nanoseconds, by the lock's address */
WORDS(delays);

static __always_inline void task_ended(u32 tid)
{
}

static __always_inline void count(u32 which)
{
	u64 *nr = bpf_map_lookup_elem(&counters, &which);

	if (nr)
		__sync_fetch_and_add(nr, 1);
}

static __always_inline struct wait_place place_of(u64 lock)
{
	u32 tid = bpf_get_current_pid_tgid();

	return (struct wait_place){ lock, tid ? tid : -1 - (s64)bpf_get_smp_processor_id() };
}

/* -Y, -L, -C, -G */
static __always_inline bool is_wanted(u64 lock, u32 flags)
{
	u64 cpu = bpf_get_smp_processor_id(), id;

	if (settings.types && (flags >= KERNEL_WAITS_FLAGS || !(settings.types >> flags & 1)))
		return false;
	if (settings.choose_lock && !bpf_map_lookup_elem(&locks, &lock))
		return false;
	if (settings.choose_cpu && !bpf_map_lookup_elem(&cpus, &cpu))
		return false;
	if (!settings.choose_cgroup)
		return true;
	id = bpf_get_current_cgroup_id();
	return bpf_map_lookup_elem(&cgroups, &id);
}

/* a begin of a mutex during the wait for it continues the wait: spinning and sleeping take turns */
static __always_inline bool continues(const struct wait_place *place, u32 flags)
{
	struct open_wait *wait = bpf_map_lookup_elem(&pending, place);

	if (!wait)
		return false;
	if (wait->flags & flags & LOCK_FLAG_MUTEX && wait->last_flags != flags) {
		wait->last_flags = flags;
		return true;
	}
	count(WAITS_UNFINISHED);
	return false;
}

static __always_inline u64 read_word(u64 addr)
{
	u64 word = 0;

	return bpf_probe_read_kernel(&word, sizeof(word), (void *)addr) ? 0 : word;
}

/* the task that holds the lock, 0 if it is not known, as for all locks but mutexes and rwsems */
static __always_inline u64 owner_of(u64 lock, u32 flags)
{
	const u64 of_lock = 7;		/* low bits of the word are flags of the lock */
	u64 word;

	if (flags & LOCK_FLAG_MUTEX)
		return read_word(lock + settings.offsets.mutex_owner) & ~of_lock;
	/* rwsem: reading or writing, and nothing else */
	if (!flags || flags & ~(LOCK_FLAG_READ | LOCK_FLAG_WRITE))
		return 0;
	/* it keeps the last reader, who may not hold it any more: bit 0 */
	word = read_word(lock + settings.offsets.rwsem_owner);
	return word & 1 ? 0 : word & ~of_lock;
}

static __always_inline void note_owner(struct open_wait *wait, u64 lock, u32 flags)
{
	u64 task = owner_of(lock, flags);
	s32 tid;

	wait->key.task = -1;
	if (!task || bpf_probe_read_kernel(&tid, sizeof(tid), (void *)(task + settings.offsets.task_pid)))
		return;
	wait->key.task = tid;
	bpf_probe_read_kernel(wait->comm, sizeof(wait->comm), (void *)(task + settings.offsets.task_comm));
}

/* wait has only zeros, but for the frames */
static __always_inline void note_key(void *ctx, struct open_wait *wait, u64 lock, u32 flags)
{
	if (settings.by & KERNEL_WAITS_LOCK)
		wait->key.lock = lock;
	if (settings.by & KERNEL_WAITS_CGROUP)
		wait->key.cgroup = bpf_get_current_cgroup_id();
	if (settings.by & KERNEL_WAITS_TASK) {
		wait->key.task = current_task().tid;
		bpf_get_current_comm(wait->comm, sizeof(wait->comm));
	}
	if (settings.by & KERNEL_WAITS_OWNER)
		note_owner(wait, lock, flags);
	if (settings.by & KERNEL_WAITS_CHAIN) {
		wait->key.flags = flags;
		/* the helper clears what it does not fill */
		bpf_get_stack(ctx, wait->key.ip, settings.max_stack * sizeof(u64), 0);
	}
}

SEC("raw_tracepoint/contention_begin")
int perf_begin(u64 *ctx)
{
	u64 lock = ctx[0];
	u32 flags = ctx[1], first = 0;
	struct open_wait *wait;
	struct watched_task task;
	struct wait_place place;

	if (!watch(&task))
		return 1;
	place = place_of(lock);
	if (continues(&place, flags) || !is_wanted(lock, flags))
		return 1;
	wait = bpf_map_lookup_elem(&room, &first);
	if (!wait)
		return 1;
	*wait = (struct open_wait){ .flags = flags, .last_flags = flags };
	note_key(ctx, wait, lock, flags);
	wait->begin = bpf_ktime_get_ns();
	if (bpf_map_update_elem(&pending, &place, wait, BPF_ANY))
		count(WAITS_NO_ROOM);
	return 1;
}

/* the largest (or smallest) number; other CPUs may change it meanwhile */
static __always_inline void keep_extreme(u64 *at, u64 ns, bool largest)
{
	u64 old = *at, seen;

	for (u32 i = 0; i < ATTEMPTS; i++) {
		if (largest ? ns <= old : ns >= old)
			return;
		seen = __sync_val_compare_and_swap(at, old, ns);
		if (seen == old)
			return;
		old = seen;
	}
}

static __always_inline void add_wait(const struct open_wait *wait, u64 ns)
{
	struct kernel_wait *total = bpf_map_lookup_elem(&totals, &wait->key);
	struct kernel_wait new = { .nr = 1, .total = ns, .max = ns, .min = ns, .flags = wait->flags };

	if (!total) {
		__builtin_memcpy(new.comm, wait->comm, sizeof(new.comm));
		if (!bpf_map_update_elem(&totals, &wait->key, &new, BPF_NOEXIST))
			return;
		/* another CPU was first, or the map is full */
		total = bpf_map_lookup_elem(&totals, &wait->key);
	}
	if (!total) {
		count(WAITS_NO_ROOM);
		return;
	}
	__sync_fetch_and_add(&total->nr, 1);
	__sync_fetch_and_add(&total->total, ns);
	keep_extreme(&total->max, ns, true);
	keep_extreme(&total->min, ns, false);
}

/* false: the beginning of the wait was not seen */
static __always_inline bool end_wait(u64 lock)
{
	struct wait_place place = place_of(lock);
	struct open_wait *wait = bpf_map_lookup_elem(&pending, &place);

	if (!wait)
		return false;
	add_wait(wait, bpf_ktime_get_ns() - wait->begin);
	bpf_map_delete_elem(&pending, &place);
	return true;
}

SEC("raw_tracepoint/contention_end")
int perf_wait_end(u64 *ctx)
{
	end_wait(ctx[0]);
	return 1;
}

/* the same with -J: the task has the lock now, and looks at the clock until its time is over */
SEC("raw_tracepoint/contention_end")
int perf_delay(u64 *ctx)
{
	u64 lock = ctx[0], *ns, end;

	if (!end_wait(lock))
		return 1;
	ns = bpf_map_lookup_elem(&delays, &lock);
	if (!ns)
		return 1;
	end = bpf_ktime_get_ns() + *ns;
again:
	if (bpf_ktime_get_ns() < end)
		goto_if_allowed(again);
	return 1;
}

#pragma clang attribute pop
