/*
 * Wall-turns.bpf: sums of what threads do, for --wall=slots:TIME. A turn of a thread: it has a CPU, leaves
 * it, waits, and gets one again. Turns that are equal but for their times are added up with the thread, for
 * as long as they begin in one slot of time; the ring gets a record of each sum (struct wall_turns), and of
 * each distinct stack. Before anything else is told of a thread, its sums are, and where it is.
 * wall-switches.bpf.c defines `settings`, the maps and write_record() before it includes this.
 */
#ifndef PERF_BPF_WALL_TURNS_BPF_H
#define PERF_BPF_WALL_TURNS_BPF_H

#include "common.bpf.h"
#include "wall-switches-types.h"

/* with the time of the record that is made, which is told after it */
static __always_inline void write_turns(struct wall_turns *e, struct wall_room *r)
{
	u32 cpu = bpf_get_smp_processor_id();
	void *ring = bpf_map_lookup_elem(&rings, &cpu);

	if (!ring)
		return;
	e->time = r->s.time;
	if (bpf_ringbuf_output(ring, e, sizeof(*e), wake_flags(r, sizeof(*e))))
		r->lost++;
}

/* the sums of a thread, whose slot is over */
static __always_inline void write_sums(struct wall_task *t, struct wall_room *r)
{
	for (u32 i = 0; i < WALL_NR_TURNS; i++) {
		if (!t->turns[i].nr)
			continue;
		write_turns(&t->turns[i], r);
		t->turns[i].nr = 0;
	}
}

/* all that is known of the thread: something else comes that is not a turn */
static __always_inline void tell_turns(struct wall_task *t, struct wall_room *r)
{
	if (!settings.slot_ns || !t->since)
		return;
	write_sums(t, r);
	r->turns = t->now;
	r->turns.pid = t->pid;
	r->turns.tid = t->tid;
	r->turns.begin = t->since;
	r->turns.flags |= WALL_TURNS;
	r->turns.nr = 0;
	write_turns(&r->turns, r);
	t->since = t->now.on = 0;
	t->now.flags = 0;
}

/*
 * Another thread leaves this CPU than the one that got it: the kernel has not told a switch between them, and
 * the first one may not be seen for long
 */
static __always_inline void check_turns(const void *left, const void *next, struct wall_room *r)
{
	u32 tid = r->now;
	struct wall_task *t;

	r->now = load_u32(next, settings.task_pid);
	if (!tid || tid == load_u32(left, settings.task_pid))
		return;
	t = bpf_map_lookup_elem(&tasks, &tid);
	if (!t || !t->on || t->now.on || !t->since || t->cpu != r->s.cpu)
		return;
	t->on = 0;
	t->now.flags = WALL_UNSEEN;
	tell_turns(t, r);
}

/*
 * The thread leaves its CPU: false if a record of the switch must tell it. Its stack is told here, if the
 * ring has not told it yet
 */
static __always_inline bool begin_turn(struct wall_task *t, struct wall_room *r)
{
	struct wall_switch *s = &r->s;

	if (!settings.slot_ns || !t->since || t->now.on || s->time <= t->since ||
	    s->flags & ~WALL_PREEMPTED)
		return false;
	t->now.on = s->time - t->since;
	t->now.hash = r->hash;
	t->now.arg = s->arg;
	t->now.cpu = s->cpu;
	t->now.state = s->state;
	t->now.flags = WALL_TURNS | s->flags;
	s->woken = r->hash;
	s->flags = WALL_STACK;
	write_record(r);
	return true;
}

static __always_inline bool is_equal_turn(const struct wall_turns *a, const struct wall_turns *b)
{
	return a->nr && a->hash == b->hash && a->arg == b->arg && a->state == b->state &&
	       a->flags == b->flags && a->waker == b->waker;
}

/* the sum of the turns that are like this one; NULL: it is the first, and has been copied to one */
static __always_inline struct wall_turns *sum_of(struct wall_task *t, struct wall_room *r)
{
	u32 at = (t->now.hash >> 32 ^ t->now.arg) % WALL_NR_TURNS;
	struct wall_turns *sum = &t->turns[at], *other = &t->turns[at ^ 1];

	if (is_equal_turn(sum, &t->now))
		return sum;
	if (is_equal_turn(other, &t->now))
		return other;
	if (other->nr < sum->nr)
		sum = other;
	if (sum->nr)
		write_turns(sum, r);
	*sum = t->now;
	sum->nr = 1;
	return NULL;
}

/* when its wait ended, by what is known of the wake-up */
static __always_inline u64 end_of_wait(const struct wall_task *t, u64 left, u64 time)
{
	if (t->now.flags & WALL_PREEMPTED || !t->now.state)
		return left;
	if (!t->woken || t->woken > time)
		return time;
	return t->woken < left ? left : t->woken;
}

/* the thread gets a CPU, and a turn had begun */
static __always_inline void end_turn(struct wall_task *t, u64 time, struct wall_room *r)
{
	u64 left = t->since + t->now.on, waited = end_of_wait(t, left, time);
	struct wall_turns *sum;

	if (t->since >= t->slot_end) {
		write_sums(t, r);
		t->slot_end = (t->since / settings.slot_ns + 1) * settings.slot_ns;
	}
	t->now.pid = t->pid;
	t->now.tid = t->tid;
	t->now.begin = t->since;
	t->now.wait = waited - left;
	t->now.run = time - waited;
	t->now.waker = !t->woken ? -1 : t->flags & WALL_BY_INTERRUPT ? 0 : t->waker_tid;
	t->now.flags |= t->flags & WALL_BY_END;
	sum = waited < t->slot_end && t->now.run < settings.slot_ns ? sum_of(t, r) : NULL;
	if (sum) {
		sum->nr++;
		sum->on += t->now.on;
		sum->wait += t->now.wait;
		sum->run += t->now.run;
	} else if (waited >= t->slot_end || t->now.run >= settings.slot_ns) {
		/* parts of it are in other slots: the last turn of this one */
		write_sums(t, r);
		t->now.nr = 1;
		write_turns(&t->now, r);
		t->now.nr = 0;
	}
	t->since = time;
	t->now.on = t->woken = 0;
}

#endif
