/* Sched: from tracepoints to the state machine. See sched.h. */
#include "sched.h"

#include <errno.h>

/* bits of prev_state, as the kernel reports them since 4.14; before, 0x40 was a task that is dead */
static const struct {
	u32 bit;
	char letter;
	enum sched_state state;
} states[] = {
	{ 0x01, 'S', SCHED_SLEEPING }, { 0x02, 'D', SCHED_DISK }, { 0x04, 'T', SCHED_STOPPED },
	{ 0x08, 't', SCHED_STOPPED }, { 0x10, 'X', SCHED_DEAD }, { 0x20, 'Z', SCHED_DEAD },
	{ 0x40, 'P', SCHED_SLEEPING }, { 0x80, 'I', SCHED_SLEEPING },
};

static void read_state(u64 bits, struct sched_switch *sw)
{
	sw->prev_letter = 'R';
	sw->prev_state = SCHED_PREEMPTED;
	for (u32 i = 0; i < ARRAY_SIZE(states); i++) {
		if (!(bits & states[i].bit))
			continue;
		sw->prev_letter = states[i].letter;
		sw->prev_state = states[i].state;
		return;
	}
}

/*
 * the task of the sample, if payloads and samples count in the same pid namespace: proof that it runs. ran:
 * for at least that many ns
 */
static struct sched_task *see_current(struct sched *s, const struct tracing_sample *ts, u32 cpu, u64 ran)
{
	struct sched_cpu *c = &s->cpu.v[cpu];
	struct sched_task *t;

	if (s->other_tids || !(ts->sample->event->attr.sample_type & PERF_SAMPLE_TID) ||
	    (s32)ts->sample->tid < 0)
		return c->current == ID_NONE ? NULL : s->task.v[c->current];
	t = c->current == ID_NONE ? NULL : s->task.v[c->current];
	if (!t || t->tid != (s32)ts->sample->tid)
		t = sched_task_get(s, ts->sample->tid, cpu, NULL);
	if (t->pid < 0 && (s32)ts->sample->pid >= 0)
		t->pid = ts->sample->pid;
	sched_saw_running(s, t, cpu, ran);
	return t;
}

enum { PREV_COMM, PREV_PID, PREV_PRIO, PREV_STATE, NEXT_COMM, NEXT_PID, NEXT_PRIO };
static const struct tracing_field switch_fields[] = {
	{ .name = "prev_comm", .is_bytes = true, .optional = true }, { .name = "prev_pid" },
	{ .name = "prev_prio", .optional = true }, { .name = "prev_state" },
	{ .name = "next_comm", .is_bytes = true, .optional = true }, { .name = "next_pid" },
	{ .name = "next_prio", .optional = true }, { .name = NULL }
};

static void handle_switch(void *ctx, const struct tracing_sample *ts)
{
	struct sched *s = ctx;
	struct sched_switch sw = { .ts = ts, .time = sched_tick(s, ts), .cpu = ts->sample->cpu };
	s32 tid = ts->sample->tid, prev = ts->value[PREV_PID];

	if (!sched_cpu_get(s, sw.cpu))
		return;
	if (ts->sample->event->attr.sample_type & PERF_SAMPLE_TID && tid > 0 && prev > 0 && tid != prev)
		s->other_tids = true;
	read_state(ts->value[PREV_STATE], &sw);
	sw.prev = sched_task_get(s, prev, sw.cpu, &ts->bytes[PREV_COMM]);
	sw.next = sched_task_get(s, ts->value[NEXT_PID], sw.cpu, &ts->bytes[NEXT_COMM]);
	if (sched_is_idle(sw.prev)) {
		sw.prev_state = SCHED_SLEEPING;
		sw.prev_letter = 'I';
	} else if (sw.prev->pid < 0 && tid == prev) {
		sw.prev->pid = ts->sample->pid;
	}
	/* who ended, and runs again, is someone else with the same tid */
	if (sw.next->state == SCHED_DEAD) {
		sched_begin_life(s, sw.next->tid, -1, &ts->bytes[NEXT_COMM]);
		sw.next = sched_task_get(s, sw.next->tid, sw.cpu, NULL);
	}
	sw.prev->prio = ts->value[PREV_PRIO];
	sw.next->prio = ts->value[NEXT_PRIO];
	if (sw.prev != sw.next)
		sched_switch(s, &sw);
}

/* of common_flags */
#define FLAG_INTERRUPT 8u
#define FLAG_SOFTIRQ 16u

enum { WAKE_COMM, WAKE_PID, WAKE_PRIO, WAKE_FLAGS };
static const struct tracing_field wakeup_fields[] = {
	{ .name = "comm", .is_bytes = true, .optional = true }, { .name = "pid" },
	{ .name = "prio", .optional = true }, { .name = "common_flags", .optional = true }, { .name = NULL }
};

enum sched_wakeup_kind { SCHED_WAKEUP_BEGINS, SCHED_WAKEUP_DONE, SCHED_WAKEUP_NEW };

static void wake(struct sched *s, const struct tracing_sample *ts, enum sched_wakeup_kind kind)
{
	bool is_new = kind == SCHED_WAKEUP_NEW;
	struct sched_wakeup w = { .ts = ts, .time = sched_tick(s, ts), .cpu = ts->sample->cpu,
				  .is_new = is_new,
				  .in_interrupt = ts->value[WAKE_FLAGS] & FLAG_INTERRUPT,
				  .in_softirq = ts->value[WAKE_FLAGS] & FLAG_SOFTIRQ };
	s32 tid = ts->value[WAKE_PID];

	s->has_wakeups = true;
	if (!sched_cpu_get(s, w.cpu))
		return;
	w.waker = see_current(s, ts, w.cpu, 0);
	w.task = sched_task_get(s, tid, w.cpu, &ts->bytes[WAKE_COMM]);
	if (w.task->state == SCHED_DEAD || (is_new && (w.task->seen_running || !w.task->forked))) {
		sched_begin_life(s, tid, w.task->state != SCHED_DEAD && w.waker ? w.waker->pid : -1,
				 &ts->bytes[WAKE_COMM]);
		w.task = sched_task_get(s, tid, w.cpu, NULL);
	}
	if (ts->present & 1u << WAKE_PRIO)
		w.task->prio = ts->value[WAKE_PRIO];
	w.again = kind == SCHED_WAKEUP_DONE && w.task->waking;
	w.task->waking = kind == SCHED_WAKEUP_BEGINS;
	sched_wake(s, &w);
}

static void handle_waking(void *ctx, const struct tracing_sample *ts)
{
	wake(ctx, ts, SCHED_WAKEUP_BEGINS);
}

static void handle_wakeup(void *ctx, const struct tracing_sample *ts)
{
	wake(ctx, ts, SCHED_WAKEUP_DONE);
}

static void handle_wakeup_new(void *ctx, const struct tracing_sample *ts)
{
	wake(ctx, ts, SCHED_WAKEUP_NEW);
}

enum { MOVE_COMM, MOVE_PID, MOVE_FROM, MOVE_TO };
static const struct tracing_field move_fields[] = {
	{ .name = "comm", .is_bytes = true, .optional = true }, { .name = "pid" },
	{ .name = "orig_cpu" }, { .name = "dest_cpu" }, { .name = NULL }
};

static void handle_migrate(void *ctx, const struct tracing_sample *ts)
{
	struct sched *s = ctx;
	struct sched_move m = { .ts = ts, .time = sched_tick(s, ts), .from = ts->value[MOVE_FROM],
				.to = ts->value[MOVE_TO] };

	if (!sched_cpu_get(s, ts->sample->cpu))
		return;
	m.mover = see_current(s, ts, ts->sample->cpu, 0);
	m.task = sched_task_get(s, ts->value[MOVE_PID], ts->sample->cpu, &ts->bytes[MOVE_COMM]);
	sched_move(s, &m);
}

enum { RAN_COMM, RAN_PID, RAN_NS };
static const struct tracing_field runtime_fields[] = {
	{ .name = "comm", .is_bytes = true, .optional = true }, { .name = "pid" }, { .name = "runtime" },
	{ .name = NULL }
};

static void handle_runtime(void *ctx, const struct tracing_sample *ts)
{
	struct sched *s = ctx;
	u64 time = sched_tick(s, ts), ns = ts->value[RAN_NS];
	struct sched_task *t;

	if (!sched_cpu_get(s, ts->sample->cpu))
		return;
	s->has_runtime = true;
	/* another CPU may account for a task: only that of the sample surely runs here */
	t = sched_task_get(s, ts->value[RAN_PID], ts->sample->cpu, &ts->bytes[RAN_COMM]);
	see_current(s, ts, ts->sample->cpu, t->tid == (s32)ts->sample->tid ? ns : 0);
	if (s->ops->ran)
		s->ops->ran(s->ctx, s, t, time, ns);
}

enum { FORK_PARENT, FORK_COMM, FORK_CHILD };
static const struct tracing_field fork_fields[] = {
	{ .name = "parent_pid", .or_name = "pid" },
	{ .name = "child_comm", .is_bytes = true, .optional = true }, { .name = "child_pid" },
	{ .name = NULL }
};

static void handle_fork(void *ctx, const struct tracing_sample *ts)
{
	struct sched *s = ctx;
	s32 child = ts->value[FORK_CHILD];
	struct sched_task *parent;

	sched_tick(s, ts);
	if (!sched_cpu_get(s, ts->sample->cpu))
		return;
	see_current(s, ts, ts->sample->cpu, 0);
	parent = sched_task_get(s, ts->value[FORK_PARENT], ts->sample->cpu, NULL);
	if (child > 0)
		sched_begin_life(s, child, parent->pid, &ts->bytes[FORK_COMM]);
}

static const struct tracing_field no_fields[] = { { .name = NULL } };

static void contended(struct sched *s, const struct tracing_sample *ts, bool begins)
{
	struct sched_task *t;

	sched_tick(s, ts);
	if (!sched_cpu_get(s, ts->sample->cpu))
		return;
	t = see_current(s, ts, ts->sample->cpu, 0);
	if (t && s->ops->contended)
		s->ops->contended(s->ctx, s, t, begins);
}

static void handle_contention_begin(void *ctx, const struct tracing_sample *ts)
{
	contended(ctx, ts, true);
}

static void handle_contention_end(void *ctx, const struct tracing_sample *ts)
{
	contended(ctx, ts, false);
}

const struct tracing_row sched_rows[SCHED_NR_ROWS] = {
	{ "sched:sched_switch", switch_fields, handle_switch },
	{ "sched:sched_stat_runtime", runtime_fields, handle_runtime, .maybe = true },
	{ "sched:sched_process_fork", fork_fields, handle_fork, .maybe = true },
	{ "sched:sched_wakeup_new", wakeup_fields, handle_wakeup_new, .maybe = true },
	{ "sched:sched_migrate_task", move_fields, handle_migrate, .maybe = true },
	{ "sched:sched_waking", wakeup_fields, handle_waking, .maybe = true },
	{ "sched:sched_wakeup", wakeup_fields, handle_wakeup, .maybe = true },
	{ "lock:contention_begin", no_fields, handle_contention_begin, .maybe = true },
	{ "lock:contention_end", no_fields, handle_contention_end, .maybe = true },
};
