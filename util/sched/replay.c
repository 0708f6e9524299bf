/* Replay: see replay.h. */
#include "replay.h"

#include <errno.h>
#include <semaphore.h>
#include <sys/resource.h>
#include <time.h>
#include "sched-view.h"
#include "../view/rows.h"

/* ---- from the recording to steps ---- */

static struct replay_task *task_of(struct sched_replay *r, u32 task)
{
	for (u32 nr = r->task.nr; nr <= task; nr++)
		vec_push(&r->task, (struct replay_task){ .task = nr, .mark = SCHED_NEVER });
	return &r->task.v[task];
}

static void add_step(struct sched_replay *r, struct replay_task *t, enum replay_what what, u64 ns, u32 target)
{
	r->nr[what]++;
	vec_push(&t->step, (struct replay_step){ .what = what, .ns = ns, .target = target });
}

/* it has run up to that time */
static void add_run(struct sched_replay *r, struct replay_task *t, u64 time)
{
	if (t->mark != SCHED_NEVER && time > t->mark)
		add_step(r, t, REPLAY_RUN, time - t->mark, 0);
	t->mark = time;
}

static bool is_replayed(struct sched *s, struct sched_task *t, u64 time)
{
	return t && !sched_is_idle(t) && sched_shows(s, t, t->cpu, time);
}

static void on_woken(void *ctx, struct sched *s, const struct sched_wakeup *w)
{
	struct sched_replay *r = ctx;
	bool by_task = w->woken && !w->in_interrupt && is_replayed(s, w->waker, w->time) &&
		       w->waker->state == SCHED_RUNNING;

	if (!w->woken || !is_replayed(s, w->task, w->time))
		return;
	task_of(r, w->task->id)->woken_by_task = by_task;
	if (!by_task)
		return;
	(void)task_of(r, MAX(w->task->id, w->waker->id));
	if (r->task.v[w->waker->id].mark == SCHED_NEVER)
		r->task.v[w->waker->id].mark = MIN(w->waker->since, w->time);
	add_run(r, &r->task.v[w->waker->id], w->time);
	add_step(r, &r->task.v[w->waker->id], REPLAY_WAKE, 0, w->task->id);
}

static void on_interval(void *ctx, struct sched *s, const struct sched_interval *i)
{
	struct sched_replay *r = ctx;
	struct replay_task *t;

	if (!is_replayed(s, s->task.v[i->task->id], i->end))
		return;
	t = task_of(r, i->task->id);
	if (i->state == SCHED_RUNNING) {
		t->mark = t->mark == SCHED_NEVER ? i->begin : MAX(t->mark, i->begin);
		add_run(r, t, i->end);
		t->mark = SCHED_NEVER;
	} else if (i->next == SCHED_RUNNABLE && i->state != SCHED_UNKNOWN) {
		add_step(r, t, t->woken_by_task ? REPLAY_WAIT : REPLAY_SLEEP, i->end - i->begin, 0);
	}
}

const struct sched_ops sched_replay_ops = { .woken = on_woken, .interval = on_interval };

void sched_replay_release(struct sched_replay *r)
{
	vec_foreach(&r->task, t)
		vec_release(&t->step);
	vec_release(&r->task);
}

int sched_replay_check(struct sched_replay *r, struct err *err)
{
	u32 nr = 0;

	vec_foreach(&r->task, t)
		if (t->step.nr)
			t->number = nr++;
	if (nr <= REPLAY_MAX_TASKS)
		return 0;
	err_set(err, -E2BIG, "%u threads are too many to replay: at most %u", nr, REPLAY_MAX_TASKS);
	err_hint(err, "choose some with --comm, --pid, --tid or --time");
	return -E2BIG;
}

/* ---- doing it ---- */

struct replaying {
	const struct sched_replay *r;
	sem_t *woken;			/* by task */
	struct { VEC(u32); } task;	/* those with steps */
};

static u64 now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static struct timespec to_timespec(u64 ns)
{
	return (struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
}

static void burn(u64 ns)
{
	u64 end = now(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/* until it is woken; a second longer than then at the most, so that a wakeup that is missing ends nothing */
static void wait_for(sem_t *sem, u64 ns)
{
	struct timespec until = to_timespec(now(CLOCK_REALTIME) + ns + 1000000000);

	while (sem_timedwait(sem, &until) && errno == EINTR)
		;
}

static void replay_task(void *ctx, unsigned int worker UNUSED, size_t i)
{
	const struct replaying *x = ctx;
	const struct replay_task *t = &x->r->task.v[x->task.v[i]];
	struct timespec ts;

	vec_foreach(&t->step, s) {
		switch (s->what) {
		case REPLAY_RUN:
			burn(s->ns);
			break;
		case REPLAY_SLEEP:
			ts = to_timespec(s->ns);
			clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
			break;
		case REPLAY_WAIT:
			wait_for(&x->woken[t->task], s->ns);
			break;
		case REPLAY_WAKE:
			sem_post(&x->woken[s->target]);
		}
	}
}

static u64 cpu_ns(void)
{
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	return (ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * 1000000000ull +
	       (ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) * 1000ull;
}

struct replay_result sched_replay_once(struct sched_replay *r)
{
	struct replaying x = { .r = r, .woken = xcalloc(r->task.nr + 1, sizeof(*x.woken)) };
	struct replay_result ret;
	struct pool *pool;
	u64 start, cpu;

	vec_foreach(&r->task, t) {
		sem_init(&x.woken[t->task], 0, 0);
		if (t->step.nr)
			vec_push(&x.task, t->task);
	}
	/* a thread for each, because they wait for each other */
	pool = pool_new(MAX(x.task.nr, (size_t)2));
	start = now(CLOCK_MONOTONIC);
	cpu = cpu_ns();
	pool_run(pool, x.task.nr, replay_task, &x);
	ret.elapsed = (now(CLOCK_MONOTONIC) - start) / 1e6;
	ret.cpu = (cpu_ns() - cpu) / 1e6;
	pool_free(pool);
	for (size_t i = 0; i < r->task.nr; i++)
		sem_destroy(&x.woken[i]);
	free(x.woken);
	vec_release(&x.task);
	return ret;
}

/* ---- what will be done ---- */

#define GET(type, name, value) \
	static type name(const void *row) { const struct replay_task *t = row; return value; }
GET(u64, row_number, t->number)
GET(const char *, row_name, t->name)
GET(u64, row_steps, t->step.nr)
static const struct view_field columns[] = {
	{ VIEW_COUNT("number", "Task", VIEW_NUMBER, 6), .number = row_number },
	{ VIEW_NAME("task", "Name", VIEW_TEXT, 24), .text = row_name },
	{ VIEW_COUNT("events", "Events", VIEW_NUMBER, 10), .number = row_steps },
};

struct view *sched_replay_view(struct sched_replay *r, u32 form)
{
	struct view *v = sched_view_new(&r->sched);
	struct replay_task *shown = xcalloc(r->task.nr + 1, sizeof(*shown));
	struct view_rows rows = { .field = columns, .nr_fields = ARRAY_SIZE(columns), .form = form,
				 .row = shown,
				  .size = sizeof(*shown), .limit = UINT64_MAX };
	struct strbuf sb = STRBUF_INIT;
	struct view_summary *b;

	vec_push(&v->owned, shown);
	vec_foreach(&r->task, t) {
		const struct sched_task *task = r->sched.task.v[t->task];

		if (!t->step.nr)
			continue;
		strbuf_reset(&sb);
		sched_add_name(&sb, task);
		strbuf_addf(&sb, ":%d", task->tid);
		shown[rows.nr] = *t;
		shown[rows.nr++].name = arena_strdup(&v->arena, strbuf_str(&sb));
	}
	strbuf_release(&sb);
	view_add_rows(v, &rows)->name = "replay";
	b = view_add_summary(v, "summary", "SUMMARY");
	view_add_number(b, "run-events", "nr_run_events:    ", r->nr[REPLAY_RUN]);
	view_add_number(b, "sleep-events", "nr_sleep_events:  ", r->nr[REPLAY_SLEEP] + r->nr[REPLAY_WAIT]);
	view_add_number(b, "wakeup-events", "nr_wakeup_events: ", r->nr[REPLAY_WAKE]);
	sched_add_holes(b, &r->sched);
	return v;
}
