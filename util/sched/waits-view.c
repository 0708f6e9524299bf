/* Waits view: the tables of threads and of stacks. */
#include "waits.h"

#include <string.h>
#include "sched-view.h"

static const char *const part_names[SCHED_NR_PARTS] = {
	[SCHED_PART_RUNNING] = "running", [SCHED_PART_RUNNABLE] = "runnable",
	[SCHED_PART_PREEMPTED] = "preempted", [SCHED_PART_SLEEPING] = "sleeping", [SCHED_PART_DISK] = "disk",
	[SCHED_PART_LOCK] = "lock", [SCHED_PART_STOPPED] = "stopped", [SCHED_PART_UNKNOWN] = "unknown",
};

#define GET(type, name, value) \
	static type name(const void *row) { const struct sched_waits_task *r = row; return value; }
GET(const char *, row_name, r->name)
GET(u64, row_task, r->task)
GET(u64, row_elapsed, r->elapsed)
GET(u64, row_running, r->part[SCHED_PART_RUNNING])
GET(u64, row_runnable, r->part[SCHED_PART_RUNNABLE])
GET(u64, row_preempted, r->part[SCHED_PART_PREEMPTED])
GET(u64, row_sleeping, r->part[SCHED_PART_SLEEPING])
GET(u64, row_disk, r->part[SCHED_PART_DISK])
GET(u64, row_lock, r->part[SCHED_PART_LOCK])
GET(u64, row_stopped, r->part[SCHED_PART_STOPPED])
GET(u64, row_unknown, r->part[SCHED_PART_UNKNOWN])
GET(u64, row_waits, r->nr_waits)
GET(u64, row_missing, r->nr_holes)
GET(u64, row_busy, r->elapsed - MIN(r->elapsed, r->part[SCHED_PART_SLEEPING] + r->part[SCHED_PART_UNKNOWN]))
#define MS_OF(name) GET(double, name##_ms, name(r) / 1e6)
MS_OF(row_elapsed)
MS_OF(row_running)
MS_OF(row_runnable)
MS_OF(row_preempted)
MS_OF(row_sleeping)
MS_OF(row_disk)
MS_OF(row_lock)
MS_OF(row_stopped)
MS_OF(row_unknown)

/* a time: milliseconds where people read it, else nanoseconds */
#define BOTH(key, title, name) \
	{ VIEW_COUNT(key, title, VIEW_REAL, 10), .decimals = 3, .forms = VIEW_FORM_TEXT, \
	  .real = name##_ms }, \
	{ VIEW_HALF(key, title, VIEW_TIME, "ns"), .number = name }
static const struct view_field columns[] = {
	{ VIEW_NAME("task", "Task", VIEW_TEXT, 24), .text = row_name },
	BOTH("elapsed", "Elapsed", row_elapsed),
	BOTH("running", "Running", row_running),
	BOTH("runnable", "Runnable", row_runnable),
	BOTH("preempted", "Preempted", row_preempted),
	BOTH("sleeping", "Sleeping", row_sleeping),
	BOTH("disk", "Disk", row_disk),
	BOTH("lock", "Lock", row_lock),
	BOTH("stopped", "Stopped", row_stopped),
	BOTH("unknown", "Unknown", row_unknown),
	{ VIEW_COUNT("waits", "Waits", VIEW_NUMBER, 8), .number = row_waits },
	{ VIEW_HALF("missing", "Missing events", VIEW_NUMBER, NULL), .number = row_missing },
};
static const struct view_field busy = { .number = row_busy };

int sched_waits_sort_parse(struct view_sort *sort, const char *keys, struct err *err)
{
	sort->tie = row_task;
	return view_sort_parse(sort, columns, ARRAY_SIZE(columns), keys, err);
}

#undef GET
#define GET(type, name, value) \
	static type name(const void *row) { const struct sched_waits_stack *r = row; return value; }
GET(const char *, stack_name, r->name)
GET(const char *, stack_part, part_names[r->part])
GET(u64, stack_nr, r->nr)
GET(u64, stack_time, r->time)
GET(u64, stack_max, r->max)
GET(double, stack_time_ms, r->time / 1e6)
GET(double, stack_max_ms, r->max / 1e6)
GET(const char *, stack_text, r->stack_text)
GET(const char *, stack_waker, r->waker_text)
GET(const char *, stack_waker_stack, r->waker_stack_text)
GET(const char *, stack_chain, r->chain_text)
GET(u64, stack_tie, r->task)
static const struct view_field stack_columns[] = {
	{ VIEW_NAME("task", "Task", VIEW_TEXT, 24), .text = stack_name },
	{ VIEW_NAME("state", "State", VIEW_TEXT, 9), .text = stack_part },
	BOTH("time", "Time", stack_time),
	{ VIEW_COUNT("count", "Count", VIEW_NUMBER, 8), .number = stack_nr },
	BOTH("max", "Max", stack_max),
	{ VIEW_NAME("waker", "Woken by", VIEW_TEXT, 20), .text = stack_waker },
	{ VIEW_NAME("wakers", "The waker was woken by", VIEW_TEXT, 22), .text = stack_chain },
	{ VIEW_NAME("stack", "Waited in", VIEW_TEXT, 30), .text = stack_text },
	{ VIEW_NAME("waker-stack", "Woken in", VIEW_TEXT, 20), .text = stack_waker_stack },
};
static const struct view_field by_time = { .number = stack_time };

static const char *finish(struct strbuf *sb, struct arena *a)
{
	const char *text = arena_strdup(a, strbuf_str(sb));

	strbuf_reset(sb);
	return text;
}

static void add_task(struct sched_waits *w, u32 id, struct strbuf *sb)
{
	struct sched_task *t = id == ID_NONE || id == SCHED_BY_INTERRUPT ? NULL : w->sched.task.v[id];

	if (id == SCHED_BY_INTERRUPT)
		strbuf_addstr(sb, "(interrupt)");
	if (!t)
		return;
	sched_add_name(sb, t);
	if (!sched_is_idle(t))
		strbuf_addf(sb, ":%d", t->tid);
}

static void add_task_table(struct sched_waits *w, struct view *v, u32 form)
{
	struct view_sort sort = w->o->sort;
	struct view_rows rows = { .field = columns, .nr_fields = ARRAY_SIZE(columns), .form = form,
				  .size = sizeof(*w->task.v),
				  .limit = w->o->lines ? w->o->lines : UINT64_MAX };
	struct strbuf sb = STRBUF_INIT;
	struct view_table *table;
	size_t nr = 0;

	for (size_t i = 0; i < w->task.nr; i++) {
		struct sched_waits_task row = w->task.v[i];
		const struct sched_task *t = w->sched.task.v[row.task];

		row.nr_holes = t->nr_holes;
		row.elapsed = sched_time_within(&w->sched, t->born,
						t->died == SCHED_NEVER ? w->sched.now : t->died);
		if (sched_is_idle(t) || !row.elapsed ||
		    !sched_shows_task(&w->sched, w->sched.task.v[t->id]))
			continue;
		add_task(w, t->id, &sb);
		row.name = finish(&sb, &v->arena);
		w->task.v[nr++] = row;
	}
	if (!sort.nr)
		sort = (struct view_sort){ .key = { &busy }, .nr = 1, .tie = row_task };
	view_sort_rows(&sort, w->task.v, nr, rows.size);
	rows.row = w->task.v;
	rows.nr = nr;
	table = view_add_rows(v, &rows);
	table->name = "tasks";
	vec_push(&table->head, form == VIEW_FORM_TEXT ? "What threads did, in milliseconds" :
							"What threads did");
	strbuf_release(&sb);
}

static void add_texts(struct sched_waits *w, struct sched_waits_stack *s, struct strbuf *sb, struct arena *a)
{
	add_task(w, s->task, sb);
	s->name = finish(sb, a);
	add_task(w, s->waker, sb);
	s->waker_text = finish(sb, a);
	tracing_stack_text(&w->stacks, s->stack, sb);
	s->stack_text = finish(sb, a);
	tracing_stack_text(&w->stacks, s->waker_stack, sb);
	s->waker_stack_text = finish(sb, a);
	for (u32 i = 0; s->waker != ID_NONE && i < SCHED_WAKERS && s->chain[i] != ID_NONE; i++) {
		if (i)
			strbuf_addstr(sb, " <- ");
		add_task(w, s->chain[i], sb);
	}
	s->chain_text = finish(sb, a);
}

static void add_stack_table(struct sched_waits *w, struct view *v, u32 form)
{
	const struct view_sort sort = { .key = { &by_time }, .nr = 1, .tie = stack_tie };
	struct view_rows rows = { .field = stack_columns, .nr_fields = ARRAY_SIZE(stack_columns),
				 .form = form,
				  .row = w->stack.v, .nr = w->stack.nr, .size = sizeof(*w->stack.v),
				  .limit = w->o->lines ? w->o->lines : UINT64_MAX };
	struct strbuf sb = STRBUF_INIT;
	struct view_table *table;

	view_sort_rows(&sort, w->stack.v, rows.nr, rows.size);
	for (size_t i = 0; i < MIN(rows.limit, (u64)rows.nr); i++)
		add_texts(w, &w->stack.v[i], &sb, &v->arena);
	strbuf_release(&sb);
	table = view_add_rows(v, &rows);
	table->name = "waits";
	vec_push(&table->head, "Where they waited, and who woke them");
}

struct view *sched_waits_view(struct sched_waits *w, u32 form)
{
	struct view *v = sched_view_new(&w->sched);

	add_task_table(w, v, form);
	if (!w->o->tasks_only)
		add_stack_table(w, v, form);
	sched_add_holes(view_add_summary(v, "summary", "SUMMARY"), &w->sched);
	return v;
}
