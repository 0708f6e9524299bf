/* Sched: the state machine. See sched.h. */
#include "sched.h"

#include <string.h>

/* kernels leave bytes of an older name after the NUL, so comm_bytes can change without comm */
static __attribute__((noinline)) void change_comm(struct sched_task *t, const char *comm, u32 len)
{
	if (strncmp(t->comm, comm, len)) {
		memset(t->comm, 0, sizeof(t->comm));
		memcpy(t->comm, comm, strnlen(comm, len));
		memcpy(t->comm_bytes, t->comm, SCHED_COMM_LEN);
	}
	if (len == SCHED_COMM_LEN)
		memcpy(t->comm_bytes, comm, SCHED_COMM_LEN);
}

/* of 4 to 16 bytes: a call of memcmp() takes longer */
static inline bool same_bytes(const char *a, const char *b, u32 len)
{
	u32 x[4];
	u64 y[4];

	if (len < 8) {
		memcpy(&x[0], a, 4);
		memcpy(&x[1], b, 4);
		memcpy(&x[2], a + len - 4, 4);
		memcpy(&x[3], b + len - 4, 4);
		return x[0] == x[1] && x[2] == x[3];
	}
	memcpy(&y[0], a, 8);
	memcpy(&y[1], b, 8);
	memcpy(&y[2], a + len - 8, 8);
	memcpy(&y[3], b + len - 8, 8);
	return y[0] == y[1] && y[2] == y[3];
}

static inline void set_comm(struct sched_task *t, const struct tracing_bytes *comm)
{
	u32 len = comm && comm->data ? MIN(comm->len, SCHED_COMM_LEN) : 0;

	if (len >= 4 && same_bytes(len == SCHED_COMM_LEN ? t->comm_bytes : t->comm, comm->data, len))
		return;
	if (len)
		change_comm(t, comm->data, len);
}

static struct sched_task *add_task(struct sched *s, s32 tid, u32 cpu, u32 *slot)
{
	struct sched_task *t = ARENA_NEW(&s->arena, struct sched_task);

	t->id = *slot = s->task.nr;
	t->tid = tid;
	t->pid = t->ppid = -1;
	t->cpu = cpu;
	t->waker = ID_NONE;
	t->born = t->since = s->now;
	t->at.time = s->now;
	t->in = t->out = t->ready = t->moved = t->died = SCHED_NEVER;
	vec_push(&s->task, t);
	return t;
}

static u32 find_new_slot(struct sched *s, s32 tid)
{
	u64 hash = hash_u64((u32)tid);

	return vec_find_or_add(&s->slot, &s->by_tid, hash, e, s->task.v[*e]->tid == tid, ID_NONE) - s->slot.v;
}

/* the position in slot of a tid, which is added with ID_NONE if it is new */
static inline u32 *find_slot(struct sched *s, s32 tid)
{
	struct sched_recent *r = &s->recent[(u32)tid % SCHED_RECENT];

	if (r->tid != tid)	/* never 0: idle tasks have no slot */
		*r = (struct sched_recent){ tid, find_new_slot(s, tid) };
	return &s->slot.v[r->slot];
}

struct sched_cpu *sched_cpu_add(struct sched *s, u32 cpu)
{
	if (unlikely(cpu >= SCHED_MAX_CPUS)) {
		s->holes.nr_bad_cpus++;
		return NULL;
	}
	while (cpu >= s->cpu.nr)
		vec_push(&s->cpu, (struct sched_cpu){ .current = ID_NONE, .idle = ID_NONE,
						      .since = SCHED_NEVER });
	s->cpu.v[cpu].used = true;
	return &s->cpu.v[cpu];
}

struct sched_task *sched_task_get(struct sched *s, s32 tid, u32 cpu, const struct tracing_bytes *comm)
{
	u32 *slot = tid ? find_slot(s, tid) : &sched_cpu_get(s, cpu)->idle;
	struct sched_task *t = *slot == ID_NONE ? add_task(s, tid, cpu, slot) : s->task.v[*slot];

	set_comm(t, comm);
	return t;
}

/* it had not ended: nobody knows what it did since */
static __attribute__((noinline)) void revive(struct sched_task *t)
{
	t->state = SCHED_UNKNOWN;
	t->died = SCHED_NEVER;
}

static inline void leave_state(struct sched *s, struct sched_task *t, enum sched_state next, u64 time)
{
	struct sched_interval i;

	if (unlikely(t->state == SCHED_DEAD && next != SCHED_DEAD))
		revive(t);
	i = (struct sched_interval){ .task = t, .state = t->state, .next = next, .cpu = t->cpu,
				     .begin = MIN(t->since, time), .end = time, .doubtful = t->doubtful };
	if (s->ops->interval && i.begin < i.end + (next == SCHED_RUNNING))
		s->ops->interval(s->ctx, s, &i);
	t->state = next;
	t->since = time;
	t->doubtful = false;
}

/*
 * the task of the CPU stopped at an unknown time: it was last seen at cpu->seen; an idle task is never seen,
 * and ran until the next task did, at the time next
 */
static void lose_current(struct sched *s, struct sched_cpu *cpu, u64 next)
{
	struct sched_task *t = cpu->current == ID_NONE ? NULL : s->task.v[cpu->current];

	cpu->current = ID_NONE;
	if (!t || t->state != SCHED_RUNNING)
		return;
	leave_state(s, t, SCHED_UNKNOWN, MAX(sched_is_idle(t) ? next : cpu->seen, t->since));
	t->doubtful = true;
	t->in = t->out = t->ready = t->moved = SCHED_NEVER;
}

/* no switch was recorded to the task, but it runs; begin: at the latest then */
static void infer_switch(struct sched *s, struct sched_task *t, u32 nr, u64 begin)
{
	struct sched_cpu *cpu = &s->cpu.v[nr];
	bool first = cpu->since == SCHED_NEVER && cpu->current == ID_NONE;
	u64 from = cpu->since == SCHED_NEVER ? t->since : MAX(cpu->since, t->since);

	if (t->state == SCHED_RUNNING && t->cpu != nr) {
		lose_current(s, &s->cpu.v[t->cpu], s->now);
		from = MAX(from, t->since);
	}
	from = MIN(MAX(from, begin), s->now);
	if (cpu->current != t->id)
		lose_current(s, cpu, from);
	if (!first || t->seen_running) {
		s->holes.nr_missing_switches++;
		t->nr_holes++;
	}
	t->doubtful = true;
	t->cpu = nr;
	leave_state(s, t, SCHED_RUNNING, from);
	t->doubtful = true;
	t->in = cpu->since == SCHED_NEVER ? SCHED_NEVER : from;
	cpu->current = t->id;
	cpu->seen = s->now;
}

void sched_saw_running(struct sched *s, struct sched_task *t, u32 nr, u64 ran)
{
	struct sched_cpu *cpu = &s->cpu.v[nr];

	if (cpu->current != t->id || t->state != SCHED_RUNNING)
		infer_switch(s, t, nr, s->now - MIN(ran, s->now));
	cpu->seen = s->now;
}

static void switch_out(struct sched *s, const struct sched_switch *sw)
{
	struct sched_task *t = sw->prev;

	leave_state(s, t, sw->prev_state, sw->time);
	t->seen_running = true;
	t->letter = sw->prev_letter;
	t->out = sw->time;
	t->in = t->ready = t->moved = SCHED_NEVER;
	if (sw->prev_state == SCHED_DEAD)
		t->died = sw->time;
}

static void switch_in(struct sched *s, const struct sched_switch *sw)
{
	struct sched_task *t = sw->next;

	if (t->state == SCHED_RUNNING) {
		/* nobody saw it leave the other CPU, or this one */
		s->holes.nr_missing_switches++;
		t->nr_holes++;
		if (t->cpu < s->cpu.nr && s->cpu.v[t->cpu].current == t->id)
			lose_current(s, &s->cpu.v[t->cpu], s->now);
	} else if (t->state != SCHED_RUNNABLE && t->state != SCHED_PREEMPTED && !sched_is_idle(t)) {
		/* nobody saw it woken; unless it is seen for the first time, that event is missing */
		s->holes.nr_missing_wakeups += s->has_wakeups && t->state != SCHED_UNKNOWN;
		t->nr_holes += s->has_wakeups;
		t->doubtful = true;
	}
	t->cpu = sw->cpu;
	t->waking = false;
	leave_state(s, t, SCHED_RUNNING, sw->time);
	t->seen_running = true;
	t->in = sw->time;
}

void sched_switch(struct sched *s, struct sched_switch *sw)
{
	struct sched_cpu *cpu = &s->cpu.v[sw->cpu];

	s->holes.nr_switches++;
	if (cpu->current != sw->prev->id || sw->prev->state != SCHED_RUNNING)
		infer_switch(s, sw->prev, sw->cpu, 0);
	if (s->ops->switched)
		s->ops->switched(s->ctx, s, sw);
	cpu->current = ID_NONE;
	switch_out(s, sw);
	switch_in(s, sw);
	cpu->current = sw->next->id;
	cpu->since = cpu->seen = sw->time;
}

void sched_wake(struct sched *s, struct sched_wakeup *w)
{
	struct sched_task *t = w->task;

	w->woken = t->state != SCHED_RUNNING && t->state != SCHED_RUNNABLE && t->state != SCHED_PREEMPTED;
	s->holes.nr_wakeups += !w->again;
	if (s->ops->woken)
		s->ops->woken(s->ctx, s, w);
	if (!w->woken)
		return;
	/* what was woken slept before, even if nobody saw it fall asleep */
	if (t->state == SCHED_UNKNOWN && t->born == s->now && !t->forked)
		t->born = t->since = s->first;
	if (t->state == SCHED_UNKNOWN && !t->forked)
		t->state = SCHED_SLEEPING;
	leave_state(s, t, SCHED_RUNNABLE, w->time);
	t->ready = w->time;
	t->moved = SCHED_NEVER;
	t->waker = w->waker && !w->in_interrupt ? w->waker->id : ID_NONE;
}

void sched_move(struct sched *s, struct sched_move *m)
{
	struct sched_task *t = m->task;

	t->nr_moves++;
	if (t->ready != SCHED_NEVER && t->moved == SCHED_NEVER)
		t->moved = m->time;
	if (s->ops->moved)
		s->ops->moved(s->ctx, s, m);
	if (t->state != SCHED_RUNNING)
		t->cpu = m->to < SCHED_MAX_CPUS ? m->to : t->cpu;
}

void sched_begin_life(struct sched *s, s32 tid, s32 ppid, const struct tracing_bytes *comm)
{
	u32 *slot = find_slot(s, tid);
	struct sched_task *t = *slot == ID_NONE ? NULL : s->task.v[*slot];

	/* the last one of that tid ended without being seen */
	if (t && t->state == SCHED_RUNNING && t->cpu < s->cpu.nr && s->cpu.v[t->cpu].current == t->id)
		lose_current(s, &s->cpu.v[t->cpu], s->now);
	if (t && t->died == SCHED_NEVER) {
		leave_state(s, t, SCHED_DEAD, s->now);
		t->died = s->now;
	}
	t = add_task(s, tid, 0, slot);
	t->forked = true;
	t->ppid = ppid;
	set_comm(t, comm);
}
