/* Timehist: from the state machine to rows and sums. See timehist.h. */
#include "timehist.h"

#include <string.h>

void sched_timehist_init(struct sched_timehist *t, const struct session *s,
			 const struct sched_timehist_opts *o)
{
	t->o = o;
	/* two frames are the scheduler's own */
	if (o->chains)
		tracing_stacks_init(&t->stacks, s, o->max_stack + 2, sched_describe);
}

void sched_timehist_release(struct sched_timehist *t)
{
	tracing_stacks_release(&t->stacks);
	strbuf_release(&t->out);
	strbuf_release(&t->tmp);
	vec_release(&t->sum);
	vec_release(&t->idle);
	vec_release(&t->idle_stack);
	vec_release(&t->before_idle);
	hidx_release(&t->idle_idx);
}

static struct sched_timehist_sum *sum_of(struct sched_timehist *t, u32 task)
{
	for (u32 nr = t->sum.nr; nr <= task; nr++)
		vec_push(&t->sum, (struct sched_timehist_sum){ .task = nr });
	return &t->sum.v[task];
}

/* the part of a run before time that --time selects, which is the one in which time lies */
static u64 run_time(const struct sched *s, u64 in, u64 time)
{
	return in == SCHED_NEVER || in > time ? 0 : sched_time_within(s, in, time);
}

static struct sched_run_row measure(struct sched_timehist *t, const struct sched_switch *sw)
{
	const struct sched_task *p = sw->prev;
	struct sched_run_row r = { .time = sw->time, .run = run_time(&t->sched, p->in, sw->time),
				   .stack = ID_NONE };

	if (p->in == SCHED_NEVER)
		return r;
	if (p->out != SCHED_NEVER)
		r.wait = p->in - MIN(p->out, p->in);
	if (p->ready != SCHED_NEVER) {
		r.delay = p->doubtful ? 0 : p->in - MIN(p->ready, p->in);
		if (p->moved != SCHED_NEVER)
			r.pre_migration = p->moved - p->ready;
	} else if (p->letter == 'R' || sched_is_idle(p)) {
		r.delay = r.wait;
	}
	return r;
}

static void add_run(struct sched_timehist_sum *sum, const struct sched_task *p, const struct sched_run_row *r)
{
	double ms = r->run / 1e6;

	sum->min = sum->nr ? MIN(sum->min, r->run) : r->run;
	sum->max = MAX(sum->max, r->run);
	sum->nr++;
	sum->run += r->run;
	sum->squares += ms * ms;
	sum->delay += r->delay;
	if (p->letter == 'D')
		sum->disk += r->wait;
	else if (p->letter == 'R')
		sum->preempted += r->wait;
	else
		sum->sleep += r->wait;
}

/* ---- idle ---- */

static void add_idle(struct sched_timehist *t, u32 cpu, u64 run)
{
	struct sched_timehist_sum *sum;
	struct sched_idle_stack *idle;
	double ms = run / 1e6;
	u32 task, stack;

	if (cpu >= t->before_idle.nr || (task = t->before_idle.v[cpu].task) == ID_NONE)
		return;
	sum = sum_of(t, task);
	sum->idle_min = sum->nr_idle ? MIN(sum->idle_min, run) : run;
	sum->idle_max = MAX(sum->idle_max, run);
	sum->nr_idle++;
	sum->idle += run;
	sum->idle_squares += ms * ms;
	stack = t->before_idle.v[cpu].stack;
	t->before_idle.v[cpu].task = ID_NONE;
	if (stack == ID_NONE)
		return;
	idle = vec_find_or_add(&t->idle_stack, &t->idle_idx, hash_u64((u64)cpu << 32 | stack), s,
			       s->cpu == cpu && s->stack == stack,
			       (struct sched_idle_stack){ .cpu = cpu, .stack = stack });
	idle->nr++;
	idle->time += run;
}

static void begin_idle(struct sched_timehist *t, const struct sched_switch *sw, u32 stack)
{
	while (t->before_idle.nr <= sw->cpu)
		vec_add(&t->before_idle)->task = ID_NONE;
	t->before_idle.v[sw->cpu].task = sw->prev->id;
	t->before_idle.v[sw->cpu].stack = stack;
}

/* ---- listener ---- */

static void flush(struct sched_timehist *t, size_t keep)
{
	if (t->out.len <= keep)
		return;
	if (!t->ret)
		t->ret = t->o->write(t->o->write_ctx, t->out.buf, t->out.len);
	strbuf_reset(&t->out);
}

/* whether a switch is shown or counted: idle tasks pass only the filters of CPU and time */
static bool is_wanted(struct sched_timehist *t, const struct sched_switch *sw)
{
	struct sched *s = &t->sched;

	if (!id_filter_ok(&s->filter.cpus, sw->cpu) || !time_filter_ok(&s->filter.times, sw->time))
		return false;
	if (t->o->prios.active && !id_filter_has(&t->o->prios, sw->prev->prio))
		return false;
	if (sched_is_idle(sw->prev) && !s->filter.tids.active && !s->filter.pids.active)
		return !s->filter.comms.active;
	return sched_shows_task(s, sw->prev);
}

static void on_switched(void *ctx, struct sched *s UNUSED, const struct sched_switch *sw)
{
	struct sched_timehist *t = ctx;
	bool idle = sched_is_idle(sw->prev);
	struct sched_run_row r;

	if (!is_wanted(t, sw))
		return;
	r = measure(t, sw);
	if (t->o->chains && !idle && (!t->o->quiet || t->o->idle))
		r.stack = tracing_stack_of(&t->stacks, sw->ts);
	if (idle)
		add_idle(t, sw->cpu, r.run);
	else if (t->o->summary)
		add_run(sum_of(t, sw->prev->id), sw->prev, &r);
	if (!idle && sched_is_idle(sw->next))
		begin_idle(t, sw, r.stack);
	if (t->o->quiet || (t->o->idle && !idle) || t->ret)
		return;
	sched_timehist_run_row(t, sw, &r);
	flush(t, 65536);
}

static bool shows_either(struct sched *s, struct sched_task *a, struct sched_task *b, u32 cpu, u64 time)
{
	return (a && sched_shows(s, a, cpu, time)) || sched_shows(s, b, cpu, time);
}

static void on_woken(void *ctx, struct sched *s, const struct sched_wakeup *w)
{
	struct sched_timehist *t = ctx;

	if (!t->o->wakeups || w->again || t->o->quiet || t->o->idle ||
	    !shows_either(s, w->waker, w->task, w->cpu, w->time))
		return;
	sched_timehist_wakeup_row(t, w);
	flush(t, 65536);
}

static void on_moved(void *ctx, struct sched *s, const struct sched_move *m)
{
	struct sched_timehist *t = ctx;
	u32 cpu = m->ts->sample->cpu;

	if (!shows_either(s, m->mover, m->task, cpu, m->time))
		return;
	if (t->o->summary)
		sum_of(t, m->task->id)->moves++;
	if (!t->o->migrations || t->o->quiet || t->o->idle)
		return;
	sched_timehist_move_row(t, m);
	flush(t, 65536);
}

/* also idle times whose end was not recorded */
static void on_interval(void *ctx, struct sched *s, const struct sched_interval *i)
{
	struct sched_timehist *t = ctx;

	if (!sched_is_idle(i->task) || i->state != SCHED_RUNNING || !id_filter_ok(&s->filter.cpus, i->cpu))
		return;
	while (t->idle.nr <= i->cpu)
		vec_push(&t->idle, 0);
	t->idle.v[i->cpu] += sched_time_within(s, i->begin, i->end);
}

const struct sched_ops sched_timehist_ops = {
	.switched = on_switched, .woken = on_woken, .moved = on_moved, .interval = on_interval,
};

int sched_timehist_end(struct sched_timehist *t)
{
	flush(t, 0);
	return t->ret;
}
