/*
 * Sched: the task on each CPU, the waits of other tasks, and power states of idle CPUs. A span is added when
 * it ends. Events that do not match earlier ones, because some were lost, are counted, and the span that they
 * would end is not drawn.
 */
#include "sched.h"

#include <stdio.h>
#include <string.h>

#define MAX_CPUS 65536u

/* of prev_state: the kernel's task states that its format prints as S, D, and X, Z or x */
#define STATE_SLEEPS 1u
#define STATE_BLOCKED 2u
#define STATE_ENDED (16u | 32u | 64u)	/* 64: before Linux 4.14; since then of parked kernel threads */
#define STATE_REPORTED 255u	/* higher bits: preempted */
/* of common_flags: an interrupt did it, not the task that it interrupted */
#define FLAGS_INTERRUPT (8u | 16u)

static struct timechart_cpu *cpu_at(struct timechart *tc, u64 cpu)
{
	struct timechart_cpu *c;

	if (cpu >= MAX_CPUS) {
		tc->nr_doubtful++;
		return NULL;
	}
	while (tc->cpu.nr <= cpu)
		vec_push(&tc->cpu, (struct timechart_cpu){ .idle = TIMELINE_NONE, .running = TIMELINE_NONE });
	c = &tc->cpu.v[cpu];
	if (!c->seen) {
		c->seen = true;
		c->track = timeline_add_track(&tc->timeline, TC_CPUS);
		tc->timeline.track.v[c->track].rank = cpu;
		c->since = tc->first;
	}
	return c;
}

static bool is_marked(const struct timechart *tc, const struct timechart_task *task, u64 ns)
{
	if (tc->o->marked_comm)
		return !strcmp(strtab_get(&tc->timeline.labels, task->comm), tc->o->marked_comm);
	return tc->o->marked_ns && ns >= tc->o->marked_ns;
}

/* the state of a task ends now: its span */
static void end_state(struct timechart *tc, struct timechart_task *task, u64 now)
{
	static const u8 kind[] = { [TASK_RUNS] = TC_RUN, [TASK_WAITS] = TC_WAIT, [TASK_SLEEPS] = TC_SLEEP,
				   [TASK_BLOCKED] = TC_BLOCKED };
	struct timeline_span s = { .from = task->since, .to = now, .track = task->track,
				   .other = TIMELINE_NONE };

	if (task->state == TASK_UNKNOWN || task->state == TASK_ENDED || now <= task->since)
		return;
	s.kind = kind[task->state];
	if (task->state == TASK_RUNS) {
		task->run_ns += now - task->since;
		s.kind = is_marked(tc, task, now - task->since) ? TC_MARKED : TC_RUN;
	} else if (task->state == TASK_WAITS) {
		s.other = task->waker;
	} else {
		s.label = task->reason;
	}
	timeline_add(&tc->timeline, &s);
}

static void set_state(struct timechart *tc, struct timechart_task *task, enum task_state state, u64 now)
{
	end_state(tc, task, now);
	task->state = state;
	task->since = now;
	task->waker = TIMELINE_NONE;
}

static enum task_state state_of(u64 prev_state)
{
	u64 state = prev_state & STATE_REPORTED;

	if (!state)
		return TASK_WAITS;	/* it was preempted */
	if (state & STATE_ENDED)
		return TASK_ENDED;
	return state & STATE_BLOCKED ? TASK_BLOCKED : TASK_SLEEPS;
}

static void end_cpu_run(struct timechart *tc, const struct timechart_cpu *c,
			const struct timechart_task *task, u64 now)
{
	u64 ns = now > c->since ? now - c->since : 0;

	timeline_add(&tc->timeline, &(struct timeline_span){
		.from = c->since, .to = now, .track = c->track, .other = task->track, .label = task->comm,
		.kind = is_marked(tc, task, ns) ? TC_CPU_MARKED : TC_CPU_RUN });
}

/*
 * A CPU's first event tells what it did since the recording began. Later, a task that stops running is the
 * one that began to.
 */
static void switch_out(struct timechart *tc, const struct tracing_sample *ts, u32 cpu, u64 now)
{
	s32 tid = ts->value[SWITCH_PREV_PID];
	struct timechart_cpu *c = &tc->cpu.v[cpu];
	struct timechart_task *task = timechart_task(tc, ts, tid);
	bool first = !c->running_known, fits = first || c->running == task - tc->task.v;

	timechart_name(tc, task, ts->bytes[SWITCH_PREV_COMM].data,
		       tracing_text_len(&ts->bytes[SWITCH_PREV_COMM]));
	if (first && task->state == TASK_UNKNOWN) {
		task->state = TASK_RUNS;
		task->since = tc->first;
	}
	if (!fits && c->running != TIMELINE_NONE)
		tc->task.v[c->running].state = TASK_UNKNOWN;	/* when it stopped is not known */
	if (!fits || task->state != TASK_RUNS) {
		tc->nr_doubtful++;
		task->state = TASK_UNKNOWN;
	} else {
		end_cpu_run(tc, c, task, now);
	}
	set_state(tc, task, state_of(ts->value[SWITCH_PREV_STATE]), now);
	task->reason = timechart_reason(tc, ts);
}

static void switch_in(struct timechart *tc, const struct tracing_sample *ts, u32 cpu, u64 now)
{
	struct timechart_task *task = timechart_task(tc, ts, ts->value[SWITCH_NEXT_PID]);

	timechart_name(tc, task, ts->bytes[SWITCH_NEXT_COMM].data,
		       tracing_text_len(&ts->bytes[SWITCH_NEXT_COMM]));
	if (task->state == TASK_RUNS) {		/* elsewhere: that it stopped was lost */
		tc->nr_doubtful++;
		task->state = TASK_UNKNOWN;
	}
	set_state(tc, task, TASK_RUNS, now);
	tc->cpu.v[cpu].running = task - tc->task.v;
}

void timechart_switch(void *ctx, const struct tracing_sample *ts)
{
	struct timechart *tc = ctx;
	u64 now = timechart_now(tc, ts);
	u32 cpu = ts->sample->cpu;
	struct timechart_cpu *c = cpu_at(tc, cpu);

	if (!c)
		return;
	if ((s32)ts->value[SWITCH_PREV_PID] > 0) {
		switch_out(tc, ts, cpu, now);
	} else if (c->running != TIMELINE_NONE) {
		tc->nr_doubtful++;
		tc->task.v[c->running].state = TASK_UNKNOWN;
	}
	c->running = TIMELINE_NONE;
	c->running_known = true;
	c->since = now;
	if ((s32)ts->value[SWITCH_NEXT_PID] > 0)
		switch_in(tc, ts, cpu, now);
}

void timechart_wakeup(void *ctx, const struct tracing_sample *ts)
{
	struct timechart *tc = ctx;
	u64 now = timechart_now(tc, ts);
	u32 waker = TIMELINE_NONE;
	struct timechart_task *task;

	if ((s32)ts->value[WAKEUP_PID] <= 0)
		return;
	if (ts->sample->tid > 0 && !(ts->value[WAKEUP_FLAGS] & FLAGS_INTERRUPT))
		waker = timechart_task(tc, ts, ts->sample->tid)->track;
	task = timechart_task(tc, ts, ts->value[WAKEUP_PID]);
	timechart_name(tc, task, ts->bytes[WAKEUP_COMM].data, tracing_text_len(&ts->bytes[WAKEUP_COMM]));
	if (task->state == TASK_RUNS || task->state == TASK_WAITS)
		return;
	set_state(tc, task, TASK_WAITS, now);
	task->waker = waker;
}

static void end_idle(struct timechart *tc, struct timechart_cpu *c, u64 now)
{
	char name[32];

	if (c->idle == TIMELINE_NONE)
		return;
	snprintf(name, sizeof(name), "state %lu", c->idle_state);
	timeline_add(&tc->timeline, &(struct timeline_span){
		.from = c->idle_since, .to = now, .track = c->track, .other = TIMELINE_NONE, .kind = c->idle,
		.label = strtab_add(&tc->timeline.labels, name) });
	c->idle = TIMELINE_NONE;
}

/* state: the index of an idle state, the deeper the higher; -1: the CPU is busy again */
void timechart_idle(void *ctx, const struct tracing_sample *ts)
{
	struct timechart *tc = ctx;
	u64 now = timechart_now(tc, ts);
	struct timechart_cpu *c = cpu_at(tc, ts->value[POWER_CPU]);
	u32 state = ts->value[POWER_STATE];

	if (!c)
		return;
	end_idle(tc, c, now);
	if (state == UINT32_MAX)
		return;
	c->idle = state < 2 ? TC_IDLE : state < 4 ? TC_DEEP_IDLE : TC_DEEPEST_IDLE;
	c->idle_state = state;
	c->idle_since = now;
}

static void end_speed(struct timechart *tc, struct timechart_cpu *c, u64 now)
{
	if (c->khz)
		timeline_add(&tc->timeline, &(struct timeline_span){
			.from = c->khz_since, .to = now, .track = c->track, .other = TIMELINE_NONE,
			.kind = TC_SPEED, .amount = c->khz });
}

/* state: kHz */
void timechart_frequency(void *ctx, const struct tracing_sample *ts)
{
	struct timechart *tc = ctx;
	u64 now = timechart_now(tc, ts);
	struct timechart_cpu *c = cpu_at(tc, ts->value[POWER_CPU]);

	if (!c)
		return;
	end_speed(tc, c, now);
	c->khz = ts->value[POWER_STATE];
	c->khz_since = now;
}

void timechart_sched_finish(struct timechart *tc)
{
	vec_foreach(&tc->cpu, c) {
		if (c->running_known && c->running != TIMELINE_NONE)
			end_cpu_run(tc, c, &tc->task.v[c->running], tc->last);
		end_idle(tc, c, tc->last);
		end_speed(tc, c, tc->last);
	}
	vec_foreach(&tc->task, task)
		end_state(tc, task, tc->last);
}
