/*
 * Wall-switches.bpf: each time when a CPU goes from one thread to another, a record in the ring of that CPU:
 * who left and with which stack, who came, and who had woken that one. util/record/wall-switches.h says what
 * that is for. Tracepoints: sched_switch (preempted, previous task, next task, state), sched_waking
 * (task). Some kernels do not run the programs at each switch, so what was seen is compared with how often a
 * thread has left its CPU: when it leaves, when it comes, when it is woken, and at each of its samples.
 */
#include "common.bpf.h"
#include "wall-switches-types.h"

const volatile struct wall_switches_settings settings;

#define WATCHED_RUNS_ON (!settings.begins)
#include "watched.bpf.h"

static __always_inline u32 read_u32(u64 at)
{
	u32 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), (const void *)at);
	return value;
}

static __always_inline u64 read_u64(u64 at)
{
	u64 value = 0;

	bpf_probe_read_kernel(&value, sizeof(value), (const void *)at);
	return value;
}

#include "wall-stack.bpf.h"

#define MAX_LEVELS 32		/* of PID namespaces, of which each has its number of a task */
#define DEAD 0xb0		/* bits of a state: dead, zombie, on its way there */
#define TASK_ENDING 4		/* a bit of a task's flags: it does not return to its program */
#define HARD_INTERRUPT 0xf0000	/* bits of the preemption count */
#define MAY_INTERRUPT 0x200	/* a bit of the flags of x86 */

/* by the kernel's number of the thread: those that are followed, and have slept or been woken */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct wall_task);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WALL_NR_ROOMS);
	__type(key, u32);
	__type(value, struct wall_room);
} room SEC(".maps");

/* hashes of stack and file that the ring of this CPU told last for each place; 0: none */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WALL_NR_PLACES);
	__type(key, u32);
	__type(value, u64);
} places SEC(".maps");

/* by CPU */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} rings SEC(".maps");

static __always_inline void tell_end(u32 tid);

static __always_inline void task_ended(u32 tid)
{
	tell_end(tid);
	if (settings.begins)
		bpf_map_delete_elem(&tasks, &tid);
}

/* the number of a task in perf's PID namespace; -1 outside of it */
static __always_inline u32 number_of(u64 task)
{
	u64 pid = read_u64(task + settings.task_thread_pid), at = pid + settings.pid_numbers;
	u32 level = pid ? read_u32(pid + settings.pid_level) : 0;

	for (u32 i = 0; i < MAX_LEVELS; i++, at += settings.number_size) {
		u64 space = read_u64(at + settings.number_space);

		if (pid && read_u32(space + settings.space_inode) == settings.watched.ns_inode)
			return read_u32(at + settings.number_nr);
		if (i >= level)
			break;
	}
	return -1;
}

static __always_inline struct watched_task ids_of(u64 task, u32 tid)
{
	struct watched_task ids = { .tid = tid, .kernel_tid = tid };

	if (!settings.watched.ns_inode) {
		ids.pid = read_u32(task + settings.task_tgid);
		return ids;
	}
	ids.tid = number_of(task);
	ids.pid = number_of(read_u64(task + settings.task_leader));
	return ids;
}

static __always_inline bool is_watched(const struct watched_task *ids)
{
	return ids->kernel_tid && (settings.watched.all || is_in_map(ids));
}

static __always_inline struct wall_room *get_room(u32 which)
{
	return bpf_map_lookup_elem(&room, &which);
}

/* how often it has left a CPU; 0: never, or that is not known */
static __always_inline u64 switches_of(const void *task)
{
	if (!settings.task_switches)
		return 0;
	return load_u64(task, settings.task_switches) + load_u64(task, settings.task_switches + sizeof(u64));
}

static __always_inline struct wall_task *get_task(const struct watched_task *ids, const void *task)
{
	struct wall_room *r = get_room(WALL_ROOM_SWITCH);
	u32 tid = ids->kernel_tid;
	struct wall_task *t;

	if (!r)
		return NULL;
	r->new.pid = ids->pid;
	r->new.tid = ids->tid;
	r->new.switches = switches_of(task);
	bpf_map_update_elem(&tasks, &tid, &r->new, BPF_NOEXIST);
	t = bpf_map_lookup_elem(&tasks, &tid);
	if (!t)
		r->lost++;
	return t;
}

static __always_inline bool in_interrupt(void)
{
	u64 task = bpf_get_current_task();
	struct wall_room *r;

	if (settings.task_count)
		return read_u32(task + settings.task_count) & HARD_INTERRUPT;
	r = settings.count_from_rq ? get_room(WALL_ROOM_SWITCH) : NULL;
	if (!r)
		return false;
	/* a CPU has one queue */
	if (!r->queue)
		r->queue = read_u64(read_u64(task + settings.task_cfs_rq) + settings.cfs_rq_rq);
	return r->queue && read_u32(r->queue + settings.count_from_rq) & HARD_INTERRUPT;
}

static __always_inline bool is_ending(void)
{
	return load_u32(bpf_get_current_task_btf(), settings.task_flags) & TASK_ENDING;
}

#include "wall-target.bpf.h"

/* ---- quotas of control groups ---- */

static __always_inline const void *queue_of(const void *task)
{
	return load_pointer(task, settings.task_queue);
}

/* it could run, but may not */
static __always_inline bool is_throttled(const void *task)
{
	const void *queue;

	if (settings.task_throttled)
		return load_u8(task, settings.task_throttled);
	queue = settings.queue_throttled ? queue_of(task) : NULL;
	return queue && load_u32(queue, settings.queue_throttled);
}

/* the queue has been throttled since before this thread left: that is not its time */
static __always_inline void note_throttled(const void *task, struct wall_task *t, u64 time)
{
	u64 queue = (u64)queue_of(task), since = read_u64(queue + settings.queue_since);
	u64 clock = read_u64(read_u64(queue + settings.queue_rq) + settings.rq_clock);

	t->queue = queue;
	t->left = time;
	t->throttled = read_u64(queue + settings.queue_sum) + (since && since < clock ? clock - since : 0);
}

/* it gets a CPU: the timer of the quota had woken it, if the kernel says when, else now */
static __always_inline void note_quota(struct wall_task *t, u64 time)
{
	u64 ns = settings.queue_sum ? read_u64(t->queue + settings.queue_sum) - t->throttled : 0;

	if (!ns || ns > time - t->left)
		ns = time - t->left;
	t->woken = t->left + ns;
	t->waker_pid = t->waker_tid = 0;
	t->flags = WALL_BY_INTERRUPT;
	t->queue = 0;
}

/* ---- switches ---- */

/* the place of the record, whose frames and file have that many words; 0: it has no place */
static __always_inline u64 *place_of(struct wall_room *r, u32 words)
{
	u64 hash = r->hash + words, *ret;
	u32 at;

	if (settings.names || !words)
		return NULL;
	at = hash % WALL_NR_PLACES;
	r->s.place = at;
	ret = bpf_map_lookup_elem(&places, &at);
	if (ret && *ret == hash)
		r->s.flags |= WALL_OLD_PLACE;
	else if (ret)
		*ret = hash;
	return ret;
}

/* the reader is woken now and then */
static __always_inline u64 wake_flags(struct wall_room *r, u64 size)
{
	r->unread += size;
	if (r->unread < settings.wake_bytes)
		return BPF_RB_NO_WAKEUP;
	r->unread = 0;
	return BPF_RB_FORCE_WAKEUP;
}

static __always_inline void write_record(struct wall_room *r)
{
	u32 cpu = r->s.cpu, words = r->s.nr_kernel + r->s.nr_user;
	void *ring = bpf_map_lookup_elem(&rings, &cpu);
	u64 size = __builtin_offsetof(struct wall_switch, ip), *place;

	if (!ring)
		return;
	if (r->s.has_file)
		words += sizeof(struct wall_file) / sizeof(u64);
	place = place_of(r, words);
	forget();
	if (!(r->s.flags & WALL_OLD_PLACE))
		size += words * sizeof(u64);
	else if (r->s.flags & WALL_STACK)
		return;
	asm volatile("" : "+r"(size));	/* as in read_frame() */
	/* never true; the verifier does not know the numbers */
	if (size > sizeof(r->s))
		return;
	if (!bpf_ringbuf_output(ring, &r->s, size, wake_flags(r, size)))
		return;
	r->lost++;
	if (place)
		*place = 0;
}

#include "wall-turns.bpf.h"

/* a thread wakes another one, which is told with its stack */
static __always_inline void tell_waker(u64 *ctx, const struct watched_task *waker,
				       const struct watched_task *woken, u64 time)
{
	struct wall_room *r = get_room(WALL_ROOM_SWITCH);

	if (!r || waker->tid == -1u)
		return;
	r->s.time = r->s.woken = time;
	r->s.cpu = bpf_get_smp_processor_id();
	r->s.state = r->s.has_file = r->s.nr_kernel = r->s.nr_user = 0;
	r->s.flags = WALL_WAKES;
	r->s.arg = 0;
	r->s.pid = waker->pid;
	r->s.tid = waker->tid;
	r->s.next_pid = r->s.next_tid = 0;
	r->s.waker_pid = woken->pid;
	r->s.waker_tid = woken->tid;
	/* the code of note_stack() is not worth its size here */
	unwind_kernel(ctx, r);
	forget();
	unwind_program(ctx, r);
	forget();
	write_record(r);
}

SEC("tp_btf/sched_waking")
int perf_wall_wake(u64 *ctx)
{
	struct watched_task waker, woken = { 0 };
	const void *task = (const void *)ctx[0];
	u32 tid = load_u32(task, settings.task_pid);
	struct wall_task *t = bpf_map_lookup_elem(&tasks, &tid);

	if (!t || settings.wakers)
		woken = ids_of(ctx[0], tid);
	if (!t) {
		/* it has slept since before it was followed */
		t = is_watched(&woken) ? get_task(&woken, task) : NULL;
		if (t)
			t->asleep = 1;
	}
	/* if it has left a CPU since it was seen last, this is not what ended the wait that was seen */
	if (!t || !t->asleep || switches_of(task) != t->switches)
		return 1;
	waker = current_task();
	t->asleep = 0;
	t->waker_pid = waker.pid;
	t->waker_tid = waker.tid;
	t->flags = in_interrupt() ? WALL_BY_INTERRUPT : is_ending() ? WALL_BY_END : 0;
	t->woken = bpf_ktime_get_ns();
	if (settings.wakers && !(t->flags & WALL_BY_INTERRUPT))
		tell_waker(ctx, &waker, &woken, t->woken);
	return 1;
}

/* who woke a thread, and when; told once */
static __always_inline void note_woken(struct wall_task *t, struct wall_switch *s)
{
	s->woken = t->woken;
	s->waker_pid = t->waker_pid;
	s->waker_tid = t->waker_tid;
	s->flags |= t->flags;
	t->woken = 0;
}

/*
 * It leaves a CPU that it has not got: the kernel has not told everything, as some do at times. That it was
 * woken is a record of its own
 */
static __always_inline void tell_missed(const struct watched_task *task, struct wall_task *t,
					struct wall_room *r)
{
	r->s.tid = r->s.nr_kernel = r->s.nr_user = r->s.has_file = 0;
	r->s.next_pid = task->pid;
	r->s.next_tid = task->tid;
	r->s.flags = WALL_MISSED;
	note_woken(t, &r->s);
	write_record(r);
}

/* it has left its CPU for good: since Linux 6.16 it gives back its memory and files after its end */
static __always_inline void unwatch(const struct watched_task *task)
{
	u32 key = task->kernel_tid | WATCHED_KERNEL_TID;

	bpf_map_delete_elem(&tasks, &task->kernel_tid);
	if (settings.watched.all)
		return;
	bpf_map_delete_elem(&watched, &task->tid);
	if (settings.watched.ns_inode)
		bpf_map_delete_elem(&watched, &key);
}

/*
 * the current task, if it is followed and was seen before: then it is not looked up twice. Only tasks that
 * are watched are in the map; nobody here leaves out processes, threads or control groups (watched-types.h)
 */
static __always_inline struct wall_task *known_task(struct watched_task *ret)
{
	u32 tid = bpf_get_current_pid_tgid();
	struct wall_task *t = bpf_map_lookup_elem(&tasks, &tid);

	if (!t)
		return NULL;
	ret->kernel_tid = tid;
	ret->pid = t->pid;
	ret->tid = t->tid;
	return t;
}

/* it has left CPUs more often than that since it was seen last; it is seen now */
static __always_inline bool is_unseen(struct wall_task *t, const void *task, u32 times)
{
	u64 now = switches_of(task), last = t->switches;

	t->switches = now;
	return last && now != last + times;
}

/* the current task was not seen getting its CPU, or has left one since then */
static __always_inline bool is_here_unseen(struct wall_task *t)
{
	bool was_on = t->on;

	t->on = 1;
	return is_unseen(t, bpf_get_current_task_btf(), 0) || !was_on;
}

/* a record of now, without any thread */
static __always_inline void begin_record(struct wall_room *r)
{
	r->s.time = bpf_ktime_get_ns();
	r->s.cpu = bpf_get_smp_processor_id();
	r->s.state = r->s.flags = r->s.has_file = r->s.nr_kernel = r->s.nr_user = 0;
	r->s.arg = r->s.woken = r->s.next_tid = 0;
}

/* what the current task did until now is not known */
static __always_inline void tell_here(struct wall_task *t, struct wall_room *r)
{
	struct watched_task task = { .pid = t->pid, .tid = t->tid };

	begin_record(r);
	tell_turns(t, r);
	if (t->woken)
		tell_missed(&task, t, r);
	r->s.flags = WALL_HERE | WALL_UNSEEN;
	r->s.pid = task.pid;
	r->s.tid = task.tid;
	r->s.woken = r->s.next_tid = 0;
	t->asleep = t->queue = 0;
	write_record(r);
	if (settings.slot_ns) {
		t->since = r->s.time;
		t->cpu = r->s.cpu;
	}
}

/* the current task ends, which may have a record of its own, as of side-band */
static __always_inline void tell_end(u32 tid)
{
	struct wall_task *t = bpf_map_lookup_elem(&tasks, &tid);
	struct wall_room *r = get_room(WALL_ROOM_SWITCH);
	struct watched_task task;

	if (!r)
		return;
	if (t && is_here_unseen(t))
		tell_here(t, r);
	begin_record(r);
	if (t)
		tell_turns(t, r);
	if (!settings.begins || !watch(&task))
		return;
	r->s.state = DEAD;
	r->s.pid = task.pid;
	r->s.tid = task.tid;
	if (settings.names && !bpf_get_current_comm(r->s.ip, WALL_NAME_WORDS * sizeof(u64)))
		r->s.nr_user = 2 * WALL_NAME_WORDS;
	write_record(r);
}

/* the current task leaves the CPU */
static __always_inline void note_left(u64 *ctx, struct wall_room *r)
{
	const void *task_left = (const void *)ctx[1];
	struct wall_switch *s = &r->s;
	struct watched_task task;
	struct wall_task *t;

	s->tid = s->flags = s->nr_kernel = s->nr_user = s->has_file = 0;
	s->arg = 0;
	t = known_task(&task);
	if (!t && (!watch(&task) || !task.kernel_tid))
		return;
	if (t && t->woken) {
		tell_turns(t, r);
		tell_missed(&task, t, r);
	}
	s->pid = task.pid;
	s->tid = task.tid;
	s->state = ctx[3];
	s->flags = ctx[0] ? WALL_PREEMPTED : 0;
	if (t && is_unseen(t, task_left, 1))
		s->flags |= WALL_UNSEEN;
	if (settings.names && !bpf_get_current_comm(s->ip, WALL_NAME_WORDS * sizeof(u64)))
		s->nr_user = 2 * WALL_NAME_WORDS;
	if (s->state & DEAD) {
		if (t)
			tell_turns(t, r);
		unwatch(&task);
		return;
	}
	if (!t)
		t = get_task(&task, task_left);
	if (t) {
		t->woken = t->queue = 0;
		t->on = 0;
		t->asleep = !ctx[0] && s->state;
	}
	if (!s->state && is_throttled(task_left)) {
		s->flags = WALL_THROTTLED | (s->flags & WALL_UNSEEN);
		if (t)
			note_throttled(task_left, t, s->time);
	}
	if (settings.names)
		return;
	r->top = t ? t->top : 0;
	note_stack(ctx, r);
	if (t)
		t->top = r->top;
	if (!ctx[0] && s->state)
		note_target(r);
	if (!t)
		return;
	if (!begin_turn(t, r)) {
		tell_turns(t, r);
		return;
	}
	s->tid = s->flags = s->nr_kernel = s->nr_user = s->has_file = 0;
	s->arg = 0;
}

/* a thread that was seen before gets a CPU */
static __always_inline void note_again(const void *next, struct wall_task *t, struct wall_room *r)
{
	struct wall_switch *s = &r->s;
	bool unseen = is_unseen(t, next, 0);

	t->on = 1;
	t->cpu = s->cpu;
	t->asleep = 0;
	if (settings.slot_ns && t->now.on && !unseen) {
		end_turn(t, s->time, r);
		s->next_tid = 0;
		return;
	}
	tell_turns(t, r);
	if (settings.slot_ns)
		t->since = s->time;
	if (unseen)
		s->flags |= WALL_NEXT_UNSEEN;
	if (t->queue)
		note_quota(t, s->time);
	if (t->woken)
		note_woken(t, s);
}

/* another one gets it */
static __always_inline void note_came(const void *next, struct wall_room *r)
{
	struct wall_switch *s = &r->s;
	u32 tid = load_u32(next, settings.task_pid);
	struct wall_task *t = bpf_map_lookup_elem(&tasks, &tid);
	struct watched_task ids;

	s->woken = s->next_tid = 0;
	if (!tid)
		return;
	if (t) {
		s->next_pid = t->pid;
		s->next_tid = t->tid;
	} else {
		ids = ids_of((u64)next, tid);
		if (!is_watched(&ids))
			return;
		s->next_pid = ids.pid;
		s->next_tid = ids.tid;
	}
	if (!t && settings.begins) {
		s->flags |= WALL_BEGAN;
		s->woken = load_u64(next, settings.task_start);
	}
	if (!t && settings.names) {
		s->nr_user = 2 * WALL_NAME_WORDS;
		bpf_probe_read_kernel(s->ip + WALL_NAME_WORDS, WALL_NAME_WORDS * sizeof(u64),
				      (const void *)(next + settings.task_name));
	}
	if (!t) {
		t = get_task(&ids, next);
		if (t)
			t->on = 1;
		if (t && settings.slot_ns) {
			t->since = s->time;
			t->cpu = s->cpu;
		}
		return;
	}
	note_again(next, t, r);
}

SEC("tp_btf/sched_switch")
int perf_wall_switch(u64 *ctx)
{
	struct wall_room *r = get_room(WALL_ROOM_SWITCH);

	if (!r)
		return 1;
	r->s.cpu = bpf_get_smp_processor_id();
	r->s.time = bpf_ktime_get_ns();
	if (settings.slot_ns)
		check_turns((const void *)ctx[1], (const void *)ctx[2], r);
	note_left(ctx, r);
	note_came((const void *)ctx[2], r);
	if (r->s.tid || r->s.next_tid)
		write_record(r);
	return 1;
}

/* ---- samples ---- */

/* a program of x86 was interrupted where it allows it: not on its way from one thread to another */
static __always_inline bool may_leave(void *ctx)
{
	return !settings.regs_flags || read_u64(read_u64((u64)ctx) + settings.regs_flags) & MAY_INTERRUPT;
}

SEC("perf_event")
int perf_wall_sample(void *ctx)
{
	u32 tid = bpf_get_current_pid_tgid();
	struct wall_task *t = bpf_map_lookup_elem(&tasks, &tid);
	struct wall_room *r;

	if (!t || !may_leave(ctx) || !is_here_unseen(t))
		return 1;
	r = get_room(WALL_ROOM_SAMPLE);
	if (r)
		tell_here(t, r);
	return 1;
}
