/* Timeline of perf sched: intervals become spans. See timeline.h. */
#include "timeline.h"

#include <errno.h>
#include <stdlib.h>
#include "sched-view.h"
#include "../base/units.h"
#include "../fields/file-facts.h"

#define MAX_LABELS 20000u	/* further call chains have no text: memory does not grow with them */

enum { GROUP_CPUS, GROUP_TASKS };
static const char *const groups[] = { [GROUP_CPUS] = "CPUs", [GROUP_TASKS] = "Threads" };

enum { KIND_IDLE, KIND_CPU_RUN, KIND_SLEEP, KIND_STOPPED, KIND_BLOCKED, KIND_PREEMPTED, KIND_WAIT, KIND_RUN };
static const struct timeline_kind kinds[] = {
	[KIND_IDLE] = { .key = "idle", .title = "Idle", .tone = TONE_IDLE, .bottom = 100 },
	[KIND_CPU_RUN] = { .key = "running", .title = "Running", .tone = TONE_RUN, .bottom = 100 },
	[KIND_SLEEP] = { .key = "sleeping", .title = "Sleeping", .tone = TONE_SLEEP, .top = 40,
			 .bottom = 60 },
	[KIND_STOPPED] = { .key = "stopped", .title = "Stopped", .tone = TONE_DEEP_IDLE, .top = 40,
			   .bottom = 60 },
	[KIND_BLOCKED] = { .key = "blocked", .title = "Blocked", .tone = TONE_BLOCKED, .top = 20,
			   .bottom = 80 },
	[KIND_PREEMPTED] = { .key = "preempted", .title = "Preempted", .tone = TONE_POLL, .bottom = 100 },
	[KIND_WAIT] = { .key = "waiting", .title = "Waiting for a CPU", .tone = TONE_WAIT, .bottom = 100 },
	[KIND_RUN] = { .key = "running", .title = "Running", .tone = TONE_RUN, .bottom = 100 },
};

void sched_timeline_init(struct sched_timeline *t, const struct session *s, u32 max_stack)
{
	timeline_init(&t->picture, "sched", kinds, ARRAY_SIZE(kinds), groups, ARRAY_SIZE(groups));
	tracing_stacks_init(&t->stacks, s, max_stack + 2, sched_describe);
}

void sched_timeline_release(struct sched_timeline *t)
{
	timeline_release(&t->picture);
	tracing_stacks_release(&t->stacks);
	vec_release(&t->task);
	vec_release(&t->cpu);
	vec_release(&t->label);
}

static struct sched_timeline_task *task_of(struct sched_timeline *t, u32 id)
{
	while (t->task.nr <= id)
		vec_push(&t->task, (struct sched_timeline_task){ .track = TIMELINE_NONE });
	return &t->task.v[id];
}

static u32 task_track(struct sched_timeline *t, u32 id)
{
	struct sched_timeline_task *task = task_of(t, id);

	if (task->track == TIMELINE_NONE)
		task->track = timeline_add_track(&t->picture, GROUP_TASKS);
	return task->track;
}

static struct sched_timeline_cpu *cpu_of(struct sched_timeline *t, u32 cpu)
{
	while (t->cpu.nr <= cpu)
		vec_push(&t->cpu, (struct sched_timeline_cpu){ .track = TIMELINE_NONE });
	if (t->cpu.v[cpu].track == TIMELINE_NONE)
		t->cpu.v[cpu].track = timeline_add_track(&t->picture, GROUP_CPUS);
	return &t->cpu.v[cpu];
}

/* the part of an interval that --time keeps, from its first range to its last one */
static bool cut(const struct sched *s, u64 *begin, u64 *end)
{
	const struct time_filter *f = &s->filter.times;

	if (f->ranges.nr) {
		*begin = MAX(*begin, f->ranges.v[0].from);
		*end = MIN(*end, f->ranges.v[f->ranges.nr - 1].to);
	}
	return *begin < *end && sched_time_within(s, *begin, *end);
}

/* spans of a track do not overlap, also if events are missing */
static void add_span(struct sched_timeline *t, struct timeline_span span, u64 *until)
{
	span.from = MAX(span.from, *until);
	if (span.from >= span.to)
		return;
	*until = span.to;
	timeline_add(&t->picture, &span);
}

static void add_cpu_span(struct sched_timeline *t, const struct sched_interval *i, u64 from, u64 to)
{
	struct timeline_span span = { .from = from, .to = to, .other = TIMELINE_NONE, .kind = KIND_IDLE };
	struct sched_timeline_cpu *cpu = cpu_of(t, i->cpu);

	span.track = cpu->track;
	if (!sched_is_idle(i->task)) {
		span.kind = KIND_CPU_RUN;
		span.label = strtab_add(&t->picture.labels, i->task->comm);
		span.other = task_track(t, i->task->id);
	}
	add_span(t, span, &cpu->until);
}

static void add_task_span(struct sched_timeline *t, struct sched *s, const struct sched_interval *i, u64 from,
			  u64 to)
{
	static const u8 kind[SCHED_NR_STATES] = {
		[SCHED_RUNNING] = KIND_RUN, [SCHED_RUNNABLE] = KIND_WAIT, [SCHED_PREEMPTED] = KIND_PREEMPTED,
		[SCHED_SLEEPING] = KIND_SLEEP, [SCHED_DISK] = KIND_BLOCKED, [SCHED_STOPPED] = KIND_STOPPED,
	};
	struct timeline_span span = { .from = from, .to = to, .other = TIMELINE_NONE,
				      .kind = kind[i->state], .track = task_track(t, i->task->id) };
	struct sched_timeline_task *task = task_of(t, i->task->id);
	u32 waker = i->task->waker;

	if (i->state == SCHED_RUNNING)
		task->run += to - from;
	else if (i->state == SCHED_RUNNABLE && waker != ID_NONE && !sched_is_idle(s->task.v[waker]) &&
		 sched_shows_task(s, s->task.v[waker]))
		span.other = task_track(t, waker);
	else if (i->state != SCHED_PREEMPTED)
		span.label = task->label;
	/* adding tracks for others may have moved the tasks */
	add_span(t, span, &task_of(t, i->task->id)->until);
}

static void on_interval(void *ctx, struct sched *s, const struct sched_interval *i)
{
	struct sched_task *task = s->task.v[i->task->id];
	struct sched_timeline *t = ctx;
	u64 from = i->begin, to = i->end;

	if (i->state == SCHED_UNKNOWN || i->state == SCHED_DEAD || !cut(s, &from, &to))
		return;
	if (sched_is_idle(task) ? !sched_shows(s, task, i->cpu, from) : !sched_shows_task(s, task))
		return;
	t->nr_guessed += i->doubtful;
	/* --cpu selects where threads run */
	if (i->state == SCHED_RUNNING && sched_shows(s, task, i->cpu, from))
		add_cpu_span(t, i, from, to);
	if (!sched_is_idle(task))
		add_task_span(t, s, i, from, to);
}

static u32 label_of(struct sched_timeline *t, u32 stack)
{
	struct strbuf text = STRBUF_INIT;

	if (stack == ID_NONE || stack >= MAX_LABELS)
		return 0;
	while (t->label.nr <= stack)
		vec_push(&t->label, 0);
	if (!t->label.v[stack]) {
		tracing_stack_text(&t->stacks, stack, &text);
		t->label.v[stack] = strtab_add(&t->picture.labels, strbuf_str(&text));
		strbuf_release(&text);
	}
	return t->label.v[stack];
}

static void on_switched(void *ctx, struct sched *s, const struct sched_switch *sw)
{
	struct sched_timeline *t = ctx;

	if (!sched_is_idle(sw->prev) && sched_shows_task(s, sw->prev))
		task_of(t, sw->prev->id)->label = label_of(t, tracing_stack_of(&t->stacks, sw->ts));
}

/* ---- the picture ---- */

static int cmp_run(const void *pa, const void *pb)
{
	u64 a = *(const u64 *)pa, b = *(const u64 *)pb;

	return a < b ? 1 : a > b ? -1 : 0;
}

/* threads that ran for less are not shown */
static u64 least_run(const struct sched_timeline *t)
{
	u64 *run = xcalloc(t->task.nr + 1, sizeof(*run)), least = 0;

	for (size_t i = 0; i < t->task.nr; i++)
		run[i] = t->task.v[i].run;
	qsort(run, t->task.nr, sizeof(*run), cmp_run);
	if (t->task.nr > SCHED_TIMELINE_TASKS)
		least = MAX(run[SCHED_TIMELINE_TASKS - 1], 1);
	free(run);
	return least;
}

static void describe_tasks(struct sched_timeline *t)
{
	u64 least = least_run(t);
	struct strbuf sb = STRBUF_INIT;
	u32 nr = 0, nr_hidden = 0;

	for (u32 id = 0; id < t->task.nr; id++) {
		struct sched_task *task = t->sched.task.v[id];
		struct timeline_track *track;

		if (t->task.v[id].track == TIMELINE_NONE)
			continue;
		track = &t->picture.track.v[t->task.v[id].track];
		track->hidden = t->task.v[id].run < least || nr == SCHED_TIMELINE_TASKS;
		nr += !track->hidden;
		nr_hidden += track->hidden;
		sched_task_resolve(&t->sched, task);
		strbuf_reset(&sb);
		sched_add_name(&sb, task);
		strbuf_addf(&sb, ":%d", task->tid);
		track->name = arena_strdup(&t->picture.arena, strbuf_str(&sb));
		track->pid = task->pid;
		track->tid = task->tid;
		track->rank = id;
		strbuf_reset(&sb);
		if (task->pid >= 0 && task->pid != task->tid)
			strbuf_addf(&sb, "thread of process %d; ", task->pid);
		strbuf_addstr(&sb, "ran for ");
		duration_text(&sb, t->task.v[id].run);
		track->detail = arena_strdup(&t->picture.arena, strbuf_str(&sb));
	}
	if (nr_hidden)
		timeline_note(&t->picture, "%u thread%s that ran for a short time %s not shown: "
			      "--comm, --pid and --tid choose threads", nr_hidden, plural(nr_hidden),
			      nr_hidden == 1 ? "is" : "are");
	strbuf_release(&sb);
}

static void describe_cpus(struct sched_timeline *t)
{
	for (u32 i = 0; i < t->cpu.nr; i++) {
		struct timeline_track *track;

		if (t->cpu.v[i].track == TIMELINE_NONE)
			continue;
		track = &t->picture.track.v[t->cpu.v[i].track];
		track->name = sched_text(&t->picture.arena, "CPU %u", i);
		track->rank = i;
	}
}

int sched_timeline_finish(struct sched_timeline *t, struct err *err)
{
	struct sched *s = &t->sched;
	struct timeline *p = &t->picture;
	u64 from = s->first, to = s->now, lost = tracing_nr_lost(s->session), ms;

	if (!p->track.nr)
		return err_set(err, -ENOENT, "%s has no events to draw, or filters keep none",
			       s->session->data->path);
	cut(s, &from, &to);
	p->from = from;
	p->to = MAX(from, to);
	ms = (p->to - p->from) / 1000000;
	p->title = sched_text(&p->arena, "perf sched: CPUs and threads, %lu.%03lu s", ms / 1000, ms % 1000);
	describe_cpus(t);
	describe_tasks(t);
	if (lost)
		timeline_note(p, "%lu event%s lost while recording: states around %s missing", lost,
			      lost == 1 ? " was" : "s were", lost == 1 ? "it are" : "them are");
	if (t->nr_guessed)
		timeline_note(p, "%lu span%s at a time that is not known exactly", t->nr_guessed,
			      t->nr_guessed == 1 ? " begins or ends" : "s begin or end");
	file_facts(&p->fact, &p->arena, s->session);
	timeline_finish(p);
	return 0;
}

const struct sched_ops sched_timeline_ops = { .interval = on_interval, .switched = on_switched };
