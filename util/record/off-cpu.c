/*
 * Off-cpu: see off-cpu.h. In the program, register 6 is the context, 7 a sleep, 8 the process or the time, 9
 * an entry of totals.
 */
#include "off-cpu.h"
#include "../bpf/registers.h"
#include "../bpf/map.h"
#include "../bpf/tasks.h"
#include "../base/fs.h"
#include "../base/units.h"
#include "../event/abi.h"
#include "../kernel/perf-clock.h"
#include "../kernel/tracefs.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EVENT_NAME "offcpu-time"
#define ENTRIES 16384u
#define SLEEPS_MAX 16384u	/* at the same time: no more than threads */
/* bits of prev_state: interruptible and uninterruptible */
#define SLEEPING 3
#define SKIPPED 1		/* innermost frames of the kernel: that of the tracepoint */

#define CTX BPF_REG_6
#define SLEEP BPF_REG_7
#define KEPT BPF_REG_8
#define TOTAL BPF_REG_9

/* places in the frame */
#define AT_TID (-4)		/* u32 */
#define AT_INDEX (-8)		/* u32: key of an array */
#define AT_NEW (-24)		/* struct total */
#define AT_NOW (-32)		/* u64 */

struct sleep_key {
	u32 pid, tid;
	u64 in_kernel;		/* the stack is the kernel's */
	u64 begin;		/* of a long sleep, which has an entry of its own; else 0 */
	u64 ip[];		/* innermost first; 0 after the last one */
};
/* a sleep that goes on */
struct open_sleep {
	u64 begin;
	struct sleep_key key;
};
/* times in ns; last: when it woke up, CLOCK_MONOTONIC */
struct total {
	u64 ns, last;
};

#define KEY(field) ((s16)(offsetof(struct open_sleep, key) + offsetof(struct sleep_key, field)))
#define SUM(field) ((s16)offsetof(struct total, field))

_Static_assert(sizeof(struct sleep_key) + OFF_CPU_FRAMES * sizeof(u64) <= 512, "keys of maps are smaller");

struct off_cpu {
	const struct event *event;
	u32 max_frames;
	bool with_chain;
	u64 long_ns;
	struct bpf_map pending, total, scratch, lost;
	struct bpf_tasks tasks;
	struct bpf_prog prog;
	struct perf_clock clock;
	u32 prev_state, next_pid;	/* where they lie in the payload */
};

static u32 key_size(const struct off_cpu *o)
{
	return sizeof(struct sleep_key) + o->max_frames * sizeof(u64);
}

static u32 sleep_size(const struct off_cpu *o)
{
	return offsetof(struct open_sleep, key) + key_size(o);
}

/* --- the program */

static void write_stack(struct bpf_code *c, const struct off_cpu *o, s32 flags)
{
	bpf_copy(c, R1, CTX);
	bpf_copy(c, R2, SLEEP);
	bpf_alu_imm(c, BPF_ADD, R2, KEY(ip));
	bpf_set(c, R3, o->max_frames * sizeof(u64));
	bpf_set(c, R4, flags);
	bpf_call_helper(c, BPF_FUNC_get_stack);
}

/* the task that leaves the CPU is the current one; goes to `out` if it does not sleep, or is not looked at */
static void write_sleep(struct bpf_code *c, const struct off_cpu *o, u32 out)
{
	u32 found = bpf_label(c);

	bpf_tasks_choose(c, &o->tasks, AT_TID, SLEEP, out);
	bpf_copy(c, KEPT, R0);
	bpf_load(c, BPF_W, R1, FRAME, AT_TID);
	bpf_jump_imm(c, BPF_JEQ, R1, 0, out);
	bpf_load(c, BPF_DW, R1, CTX, (s16)o->prev_state);
	bpf_alu_imm(c, BPF_AND, R1, SLEEPING);
	bpf_jump_imm(c, BPF_JEQ, R1, 0, out);
	bpf_lookup_only(c, o->scratch.fd, AT_INDEX);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_copy(c, SLEEP, R0);
	bpf_clear(c, SLEEP, 0, sleep_size(o));
	bpf_store(c, BPF_W, SLEEP, KEY(pid), KEPT);
	bpf_load(c, BPF_W, R1, FRAME, AT_TID);
	bpf_store(c, BPF_W, SLEEP, KEY(tid), R1);
	write_stack(c, o, BPF_F_USER_STACK);
	bpf_jump_imm(c, BPF_JSGT, R0, 0, found);
	bpf_store_imm(c, BPF_DW, SLEEP, KEY(in_kernel), 1);
	write_stack(c, o, SKIPPED);
	bpf_place(c, found);
	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_store(c, BPF_DW, SLEEP, 0, R0);
	bpf_update_at(c, o->pending.fd, FRAME, AT_TID, SLEEP, 0, BPF_ANY);
}

/* TOTAL = the entry of the key of SLEEP; goes to `none` */
static void find_total(struct bpf_code *c, const struct off_cpu *o, u32 none)
{
	bpf_lookup_at(c, o->total.fd, SLEEP, offsetof(struct open_sleep, key));
	bpf_jump_imm(c, BPF_JEQ, R0, 0, none);
	bpf_copy(c, TOTAL, R0);
}

/*
 * The first sleep of a key becomes an entry. Register 0: 0, or an error if another CPU was first or the map
 * is full
 */
static void add_total(struct bpf_code *c, const struct off_cpu *o)
{
	bpf_load(c, BPF_DW, R1, FRAME, AT_NOW);
	bpf_store(c, BPF_DW, FRAME, AT_NEW + SUM(last), R1);
	bpf_store(c, BPF_DW, FRAME, AT_NEW + SUM(ns), KEPT);
	bpf_update_at(c, o->total.fd, SLEEP, offsetof(struct open_sleep, key), FRAME, AT_NEW, BPF_NOEXIST);
}

/* the task that gets the CPU has slept, or goes to `out` */
static void write_wake(struct bpf_code *c, const struct off_cpu *o, u32 out)
{
	u32 first = bpf_label(c), add = bpf_label(c), full = bpf_label(c), done = bpf_label(c);
	u32 is_short = bpf_label(c);

	bpf_load(c, BPF_W, R1, CTX, (s16)o->next_pid);
	bpf_store(c, BPF_W, FRAME, AT_TID, R1);
	bpf_lookup(c, o->pending.fd, AT_TID);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, out);
	bpf_copy(c, SLEEP, R0);
	bpf_call_helper(c, BPF_FUNC_ktime_get_ns);
	bpf_copy(c, KEPT, R0);
	bpf_store(c, BPF_DW, FRAME, AT_NOW, R0);
	bpf_load(c, BPF_DW, R1, SLEEP, 0);
	bpf_alu(c, BPF_SUB, KEPT, R1);
	bpf_set64(c, R2, o->long_ns);
	bpf_jump_if(c, BPF_JLT, KEPT, R2, is_short);
	bpf_store(c, BPF_DW, SLEEP, KEY(begin), R1);
	bpf_place(c, is_short);
	find_total(c, o, first);
	bpf_place(c, add);
	bpf_add_to(c, TOTAL, SUM(ns), KEPT);
	bpf_load(c, BPF_DW, R1, FRAME, AT_NOW);
	bpf_store(c, BPF_DW, TOTAL, SUM(last), R1);
	bpf_jump_always(c, done);
	bpf_place(c, first);
	add_total(c, o);
	bpf_jump_imm(c, BPF_JEQ, R0, 0, done);
	find_total(c, o, full);
	bpf_jump_always(c, add);
	bpf_place(c, full);
	bpf_store_imm(c, BPF_W, FRAME, AT_INDEX, 0);
	bpf_count(c, o->lost.fd, AT_INDEX);
	bpf_place(c, done);
	bpf_remove(c, o->pending.fd, AT_TID);
}

static void write_program(struct bpf_code *c, const struct off_cpu *o)
{
	u32 next = bpf_label(c), out = bpf_label(c);

	bpf_copy(c, CTX, R1);
	write_sleep(c, o, next);
	bpf_place(c, next);
	write_wake(c, o, out);
	bpf_place(c, out);
	bpf_return_one(c);
}

/* --- loading */

static int create_maps(struct off_cpu *o, struct err *err)
{
	int ret = bpf_map_create(&o->pending, BPF_MAP_TYPE_HASH, "perf_sleeps", 4, sleep_size(o), SLEEPS_MAX,
				 0, err);

	if (!ret)
		ret = bpf_map_create(&o->total, BPF_MAP_TYPE_HASH, "perf_slept", key_size(o),
				     sizeof(struct total), ENTRIES, 0, err);
	if (!ret)
		ret = bpf_map_create(&o->scratch, BPF_MAP_TYPE_PERCPU_ARRAY, "perf_room", 4, sleep_size(o), 1,
				     0, err);
	return ret ? ret : bpf_map_create(&o->lost, BPF_MAP_TYPE_ARRAY, "perf_lost", 4, 8, 1, 0, err);
}

static int find_fields(struct off_cpu *o, struct err *err)
{
	int ret = tracefs_field_offset("sched", "sched_switch", "prev_state", &o->prev_state);

	if (!ret)
		ret = tracefs_field_offset("sched", "sched_switch", "next_pid", &o->next_pid);
	return ret ? err_set(err, ret, "--off-cpu needs tracepoint sched:sched_switch, which cannot be read: "
			     "mount tracefs (mount -t tracefs nodev /sys/kernel/tracing)") : 0;
}

static int load(struct off_cpu *o, const struct target *t, s32 pid, struct err *err)
{
	const struct bpf_tasks_opts tasks = {
		.all = t->kind == TARGET_SYSTEM, .inherit = true, .not_pid = getpid(),
	};
	struct bpf_code c = { 0 };
	int ret = create_maps(o, err);

	if (!ret)
		ret = find_fields(o, err);
	if (!ret)
		ret = bpf_tasks_open(&o->tasks, &tasks, &o->pending, err);
	if (!ret)
		ret = bpf_tasks_add_target(&o->tasks, t, err);
	if (!ret && pid > 0 && !tasks.all && bpf_tasks_add(&o->tasks, pid))
		ret = err_set(err, -EIO, "task %d cannot be observed by BPF", pid);
	if (ret)
		return ret;
	write_program(&c, o);
	return bpf_prog_load_once(&o->prog, BPF_PROG_TYPE_TRACEPOINT, "perf_off_cpu", &c, err);
}

struct off_cpu *off_cpu_open(const struct event *ev, const struct target *t, s32 pid, u64 long_ns,
			     struct err *err)
{
	bool with_chain = ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
	struct off_cpu *o = xcalloc(1, sizeof(*o));

	*o = (struct off_cpu){
		.max_frames = with_chain ? OFF_CPU_FRAMES : 1, .with_chain = with_chain,
		.event = ev,
		.long_ns = long_ns,
		.pending = BPF_MAP_INIT, .total = BPF_MAP_INIT, .scratch = BPF_MAP_INIT, .lost = BPF_MAP_INIT,
		.tasks = BPF_TASKS_INIT, .prog = BPF_PROG_INIT, .clock = PERF_CLOCK_NONE,
	};
	if (!load(o, t, pid, err) && !perf_clock_open(&o->clock, &ev->attr, err))
		return o;
	off_cpu_free(o);
	return NULL;
}

int off_cpu_start(struct off_cpu *o, struct err *err)
{
	int ret = bpf_tasks_attach(&o->tasks, err);

	return ret ? ret : bpf_prog_attach_tracepoint(&o->prog, "sched", "sched_switch", err);
}

void off_cpu_free(struct off_cpu *o)
{
	if (!o)
		return;
	bpf_prog_release(&o->prog);
	bpf_tasks_detach(&o->tasks);
	bpf_tasks_close(&o->tasks);
	bpf_map_release(&o->pending);
	bpf_map_release(&o->total);
	bpf_map_release(&o->scratch);
	bpf_map_release(&o->lost);
	perf_clock_close(&o->clock);
	free(o);
}

/* --- the event and its samples */

struct event *off_cpu_add_event(struct evset *set)
{
	struct event *ev = evset_add(set, EVENT_NAME);

	ev->leader = ev->idx;
	ev->scale = 1;
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	ev->attr.sample_period = 1;
	ev->term_flags = EVENT_TERM_PERIOD;
	return ev;
}

#define SAMPLE_ALWAYS \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD)

void off_cpu_configure(struct event *ev, bool with_chain)
{
	ev->attr.sample_type = SAMPLE_ALWAYS | (with_chain ? PERF_SAMPLE_CALLCHAIN : 0);
	ev->attr.sample_regs_user = ev->attr.sample_regs_intr = ev->attr.branch_sample_type = 0;
	ev->attr.sample_stack_user = 0;
	ev->attr.flags &= ~(u64)(ATTR_FREQ | ATTR_DEFER_CALLCHAIN);
}

static u64 id_of(const struct event *ev, const struct open_fds *f)
{
	for (size_t i = 0; i < (size_t)f->nr_cpus * f->nr_threads; i++)
		if (f->id[open_at(f, ev->idx, 0, 0) + i])
			return f->id[open_at(f, ev->idx, 0, 0) + i];
	return 0;
}

/* fields in the order of perf_event_open(2) */
static void add_sample(const struct off_cpu *o, u64 id, u64 time, const struct sleep_key *key, u64 ns,
		       struct strbuf *out)
{
	u64 nr = 0, context = key->in_kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER, count;
	struct rec_header h = {
		.type = REC_SAMPLE, .misc = key->in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
	};

	while (nr < o->max_frames && key->ip[nr])
		nr++;
	count = nr + 1;
	h.size = sizeof(h) + 5 * sizeof(u64) + (o->with_chain ? (nr + 2) * sizeof(u64) : 0);
	strbuf_add(out, &h, sizeof(h));
	strbuf_add(out, &id, sizeof(id));
	strbuf_add(out, &key->ip[0], sizeof(u64));
	strbuf_add(out, &key->pid, sizeof(u32));
	strbuf_add(out, &key->tid, sizeof(u32));
	strbuf_add(out, &time, sizeof(time));
	strbuf_add(out, &ns, sizeof(ns));
	if (!o->with_chain)
		return;
	strbuf_add(out, &count, sizeof(count));
	strbuf_add(out, &context, sizeof(context));
	strbuf_add(out, key->ip, nr * sizeof(u64));
}

void off_cpu_take(struct off_cpu *o, const struct open_fds *f, struct strbuf *out)
{
	u64 id = id_of(o->event, f), offset = perf_clock_now(&o->clock) - clock_ns(CLOCK_MONOTONIC);
	struct sleep_key *key = xcalloc(1, key_size(o));

	/* each entry is removed, so the next one is the first */
	for (u32 i = 0; i < ENTRIES && !bpf_map_next(&o->total, NULL, key); i++) {
		struct total t;

		if (!bpf_map_get(&o->total, key, &t) && t.ns)
			add_sample(o, id, t.last + offset, key, t.ns, out);
		if (bpf_map_delete(&o->total, key))
			break;
	}
	free(key);
}

u64 off_cpu_lost(const struct off_cpu *o)
{
	u32 first = 0;
	u64 lost;

	return bpf_map_get(&o->lost, &first, &lost) ? 0 : lost;
}
