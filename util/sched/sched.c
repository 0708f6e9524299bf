/* Sched: reads a session, and what all subcommands ask. See sched.h. */
#include "sched.h"

#include <errno.h>
#include <string.h>

static int check_fields(const struct session *s, struct err *err)
{
	const u64 needed = PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;

	for (u32 i = 0; i < s->data->evset->ev.nr; i++) {
		const struct event *ev = s->data->evset->ev.v[i];

		if (ev->attr.type != PERF_TYPE_TRACEPOINT || (ev->attr.sample_type & needed) == needed)
			continue;
		err_set(err, -EINVAL, "event '%s' was recorded without times and CPUs", ev->name);
		err_hint(err, "record with perf sched record");
		return -EINVAL;
	}
	return 0;
}

/* what tasks do at the end of the recording lasts until there */
static void flush(struct sched *s)
{
	for (size_t i = 0; i < s->task.nr; i++) {
		struct sched_task *t = s->task.v[i];
		struct sched_interval last = { .task = t, .state = t->state, .next = t->state, .cpu = t->cpu,
					       .begin = t->since, .end = s->now, .doubtful = t->doubtful };

		if (s->ops->interval && last.begin < last.end && t->state != SCHED_DEAD)
			s->ops->interval(s->ctx, s, &last);
	}
}

static bool has_filters(const struct sample_filter *f)
{
	return f->pids.active || f->tids.active || f->comms.active || f->cpus.active || f->times.ranges.nr;
}

int sched_run(struct sched *s, struct session *session, const struct sched_ops *ops, void *ctx,
	      const struct sample_filter *filter, struct err *err)
{
	struct tracing_opts tracing = { .row = sched_rows, .nr_rows = SCHED_NR_ROWS, .ctx = s,
					.needs = "sched:sched_switch", .record = "perf sched record",
					.shown = &s->filter };
	int ret;

	*s = (struct sched){ .ops = ops, .ctx = ctx, .session = session, .filter = *filter,
			     .first = SCHED_NEVER };
	ret = check_fields(session, err);
	if (!ret)
		ret = sample_filter_parse(&s->filter, session, err);
	s->shows_all = !has_filters(&s->filter);
	if (!ret)
		ret = tracing_run(session, &tracing, err);
	if (!ret)
		flush(s);
	return ret;
}

void sched_release(struct sched *s)
{
	sample_filter_release(&s->filter);
	hidx_release(&s->by_tid);
	vec_release(&s->slot);
	vec_release(&s->task);
	vec_release(&s->cpu);
	arena_release(&s->arena);
}

void sched_task_resolve(struct sched *s, struct sched_task *t)
{
	struct sample_ctx ctx;

	if (t->resolved)
		return;
	t->resolved = true;
	session_complete(s->session);
	if (sched_is_idle(t)) {
		t->pid = 0;
		return;
	}
	ctx = machine_sample_ctx(s->session->machine, t->pid, t->tid, (struct when){ t->since, UINT64_MAX });
	if (!ctx.thread)
		return;
	if (t->pid < 0)
		t->pid = ctx.thread->pid;
	if (ctx.thread->ppid >= 0)
		t->ppid = ctx.thread->ppid;
}

bool sched_filter_task(struct sched *s, struct sched_task *t)
{
	const struct sample_filter *f = &s->filter;

	if (f->pids.active && t->pid < 0)
		sched_task_resolve(s, t);
	return id_filter_ok(&f->pids, t->pid) && id_filter_ok(&f->tids, t->tid) &&
	       name_filter_ok(&f->comms, t->comm);
}

bool sched_filter(struct sched *s, struct sched_task *t, u32 cpu, u64 time)
{
	return id_filter_ok(&s->filter.cpus, cpu) && time_filter_ok(&s->filter.times, time) &&
	       sched_filter_task(s, t);
}

u64 sched_time_within(const struct sched *s, u64 begin, u64 end)
{
	const struct time_filter *f = &s->filter.times;
	u64 sum = 0;

	if (likely(!f->ranges.nr))
		return end - begin;
	for (size_t i = 0; i < f->ranges.nr; i++) {
		u64 from = MAX(begin, f->ranges.v[i].from), to = MIN(end, f->ranges.v[i].to);

		sum += to > from ? to - from : 0;
	}
	return sum;
}

u64 sched_length(const struct sched *s)
{
	return s->first > s->now ? 0 : sched_time_within(s, s->first, s->now);
}
