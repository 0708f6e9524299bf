/* Waits: from intervals to sums. See waits.h. */
#include "waits.h"

#include <string.h>

void sched_waits_init(struct sched_waits *w, const struct session *s, const struct sched_waits_opts *o)
{
	w->o = o;
	tracing_stacks_init(&w->stacks, s, o->max_stack + 2, sched_describe);
}

void sched_waits_release(struct sched_waits *w)
{
	tracing_stacks_release(&w->stacks);
	vec_release(&w->task);
	vec_release(&w->now);
	vec_release(&w->stack);
	hidx_release(&w->by_key);
}

static struct sched_waits_task *task_of(struct sched_waits *w, u32 task)
{
	for (u32 nr = w->task.nr; nr <= task; nr++)
		vec_push(&w->task, (struct sched_waits_task){ .task = nr });
	return &w->task.v[task];
}

static struct sched_waits_now *now_of(struct sched_waits *w, u32 task)
{
	static const struct sched_waits_now none = {
		.stack = ID_NONE, .waker = ID_NONE, .waker_stack = ID_NONE,
		.chain = { ID_NONE, ID_NONE, ID_NONE, ID_NONE },
	};

	while (w->now.nr <= task)
		vec_push(&w->now, none);
	return &w->now.v[task];
}

static struct sched_waits_stack *stack_of(struct sched_waits *w, const struct sched_waits_stack *key)
{
	const u32 words[] = { key->task, key->stack, key->part, key->waker, key->waker_stack };
	u64 hash = hash_bytes(words, sizeof(words));

	return vec_find_or_add(&w->stack, &w->by_key, hash, s, s->task == key->task &&
			       s->stack == key->stack && s->part == key->part && s->waker == key->waker &&
			       s->waker_stack == key->waker_stack, *key);
}

/* what a sleep was for: the stack knows more than the state, and the events of locks more than that */
static enum sched_part part_of(const struct sched_waits *w, const struct sched_waits_now *now,
			       enum sched_state state)
{
	static const enum sched_part parts[SCHED_NR_STATES] = {
		[SCHED_UNKNOWN] = SCHED_PART_UNKNOWN, [SCHED_RUNNING] = SCHED_PART_RUNNING,
		[SCHED_RUNNABLE] = SCHED_PART_RUNNABLE, [SCHED_PREEMPTED] = SCHED_PART_PREEMPTED,
		[SCHED_SLEEPING] = SCHED_PART_SLEEPING, [SCHED_DISK] = SCHED_PART_DISK,
		[SCHED_STOPPED] = SCHED_PART_STOPPED, [SCHED_DEAD] = SCHED_PART_UNKNOWN,
	};
	enum sched_reason reason;

	if (state != SCHED_SLEEPING && state != SCHED_DISK)
		return parts[state];
	if (now->contended)
		return SCHED_PART_LOCK;
	reason = now->stack == ID_NONE ? SCHED_REASON_NONE : w->stacks.mark.v[now->stack];
	return reason == SCHED_REASON_LOCK ? SCHED_PART_LOCK :
	       reason == SCHED_REASON_DISK ? SCHED_PART_DISK : parts[state];
}

static void on_interval(void *ctx, struct sched *s, const struct sched_interval *i)
{
	struct sched_task *t = s->task.v[i->task->id];
	struct sched_waits *w = ctx;
	struct sched_waits_now *now;
	struct sched_waits_stack key, *sum;
	struct sched_waits_task *row;
	enum sched_part part;
	u64 time;

	if (sched_is_idle(t) || i->state == SCHED_DEAD || !sched_shows_task(s, t) ||
	    !id_filter_ok(&s->filter.cpus, i->cpu))
		return;
	time = sched_time_within(s, i->begin, i->end);
	now = now_of(w, t->id);
	part = part_of(w, now, i->state);
	row = task_of(w, t->id);
	row->part[part] += time;
	if (part == SCHED_PART_RUNNING || part == SCHED_PART_UNKNOWN || !time)
		return;
	row->nr_waits++;
	/* a sleep ends with a wakeup, whose waker on_woken() has noted; a wait for a CPU has no waker */
	key = (struct sched_waits_stack){ .task = t->id, .stack = now->stack, .part = part, .waker = ID_NONE,
					  .waker_stack = ID_NONE };
	if (i->next == SCHED_RUNNABLE && i->state != SCHED_RUNNABLE) {
		key.waker = now->waker;
		key.waker_stack = now->waker_stack;
	}
	sum = stack_of(w, &key);
	sum->nr++;
	sum->time += time;
	if (time > sum->max || sum->nr == 1)
		memcpy(sum->chain, now->chain, sizeof(sum->chain));
	sum->max = MAX(sum->max, time);
}

static void on_switched(void *ctx, struct sched *s, const struct sched_switch *sw)
{
	struct sched_waits *w = ctx;

	if (!sched_is_idle(sw->prev) && sched_shows_task(s, sw->prev))
		now_of(w, sw->prev->id)->stack = tracing_stack_of(&w->stacks, sw->ts);
}

/* who woke the waker last, and who that one, until it comes round or nobody knows */
static void note_chain(const struct sched *s, const struct sched_wakeup *wk, u32 *chain)
{
	const struct sched_task *t = wk->waker;

	for (u32 i = 0; i < SCHED_WAKERS; i++) {
		u32 next = t && !sched_is_idle(t) ? t->waker : ID_NONE;

		if (next == wk->task->id)
			next = ID_NONE;
		chain[i] = next;
		t = next == ID_NONE ? NULL : s->task.v[next];
	}
}

/* who was interrupted has nothing to do with it */
static void note_interrupt(struct sched_waits_now *now)
{
	now->waker = SCHED_BY_INTERRUPT;
	memset(now->chain, 0xff, sizeof(now->chain));
}

static void on_woken(void *ctx, struct sched *s, const struct sched_wakeup *wk)
{
	struct sched_waits *w = ctx;
	struct sched_waits_now *now;
	bool interrupted;

	if (!wk->woken || !sched_shows_task(s, wk->task))
		return;
	now = now_of(w, wk->task->id);
	now->waker = wk->waker ? wk->waker->id : ID_NONE;
	note_chain(s, wk, now->chain);
	if (wk->in_interrupt || wk->in_softirq) {
		now->waker_stack = tracing_stack_of_interrupt(&w->stacks, wk->ts, &interrupted);
		if (wk->in_interrupt || interrupted)
			note_interrupt(now);
	} else {
		now->waker_stack = tracing_stack_of(&w->stacks, wk->ts);
	}
}

static void on_contended(void *ctx, struct sched *s UNUSED, struct sched_task *t, bool begins)
{
	struct sched_waits_now *now = now_of(ctx, t->id);

	if (begins)
		now->contended++;
	else if (now->contended)
		now->contended--;
}

const struct sched_ops sched_waits_ops = {
	.interval = on_interval, .switched = on_switched, .woken = on_woken, .contended = on_contended,
};
