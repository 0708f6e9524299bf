/* Timehist view: sums of threads, of idle times, and the summary. */
#include "timehist.h"

#include <string.h>
#include "sched-view.h"
#include "../base/maths.h"
#include "../view/rows.h"

/* the standard error of the mean, in percent of the mean */
static double deviation(u64 nr, u64 sum_ns, double squares)
{
	double mean = nr ? sum_ns / 1e6 / nr : 0, variance;

	if (nr < 2 || mean <= 0)
		return 0;
	variance = (squares - nr * mean * mean) / (nr - 1);
	return variance > 0 ? 100 * maths_sqrt(variance / nr) / mean : 0;
}

#define GET(type, name, value) \
	static type name(const void *row) { const struct sched_timehist_sum *r = row; return value; }
GET(const char *, row_name, r->name)
GET(const char *, row_parent, r->parent)
GET(u64, row_task, r->task)
GET(u64, row_nr, r->nr)
GET(u64, row_run_ns, r->run)
GET(double, row_run, r->run / 1e6)
GET(double, row_min, r->min / 1e6)
GET(double, row_avg, r->nr ? r->run / 1e6 / r->nr : 0)
GET(double, row_max, r->max / 1e6)
GET(double, row_stddev, deviation(r->nr, r->run, r->squares))
GET(u64, row_moves, r->moves)
GET(double, row_sleep, r->sleep / 1e6)
GET(double, row_disk, r->disk / 1e6)
GET(double, row_preempted, r->preempted / 1e6)
GET(double, row_delay, r->delay / 1e6)
GET(u64, row_nr_idle, r->nr_idle)
GET(u64, row_idle_ns, r->idle)
GET(double, row_idle, r->idle / 1e6)
GET(double, row_idle_min, r->idle_min / 1e6)
GET(double, row_idle_avg, r->nr_idle ? r->idle / 1e6 / r->nr_idle : 0)
GET(double, row_idle_max, r->idle_max / 1e6)
GET(double, row_idle_stddev, deviation(r->nr_idle, r->idle, r->idle_squares))

enum { RUNS = 1, WAITS = 2, IDLES = 4 };
#define MS(key, title) { VIEW_COUNT(key, title, VIEW_REAL, 12), .decimals = 3
static const struct view_field columns[] = {
	{ VIEW_COUNT("comm", "comm", VIEW_TEXT, 28), .text = row_name },
	{ VIEW_COUNT("parent", "parent", VIEW_TEXT, 6), .text = row_parent },
	{ VIEW_COUNT("sched-in", "sched-in", VIEW_NUMBER, 9), .tables = RUNS | WAITS, .number = row_nr },
	MS("run-time", "run-time ms"), .tables = RUNS | WAITS, .real = row_run },
	MS("min-run", "min-run ms"), .tables = RUNS, .real = row_min },
	MS("avg-run", "avg-run ms"), .tables = RUNS, .real = row_avg },
	MS("max-run", "max-run ms"), .tables = RUNS, .real = row_max },
	{ VIEW_COUNT("stddev", "stddev %", VIEW_REAL, 8), .decimals = 2, .tables = RUNS, .real = row_stddev },
	{ VIEW_COUNT("migrations", "migrations", VIEW_NUMBER, 10), .tables = RUNS, .number = row_moves },
	MS("sleep", "sleep ms"), .tables = WAITS, .real = row_sleep },
	MS("iowait", "iowait ms"), .tables = WAITS, .real = row_disk },
	MS("preempt", "preempt ms"), .tables = WAITS, .real = row_preempted },
	MS("delay", "delay ms"), .tables = WAITS, .real = row_delay },
	{ VIEW_COUNT("sched-out", "sched-out", VIEW_NUMBER, 9), .tables = IDLES, .number = row_nr_idle },
	MS("idle-time", "idle-time ms"), .tables = IDLES, .real = row_idle },
	MS("min-idle", "min-idle ms"), .tables = IDLES, .real = row_idle_min },
	MS("avg-idle", "avg-idle ms"), .tables = IDLES, .real = row_idle_avg },
	MS("max-idle", "max-idle ms"), .tables = IDLES, .real = row_idle_max },
	{ VIEW_COUNT("stddev", "stddev %", VIEW_REAL, 8), .decimals = 2, .tables = IDLES,
	  .real = row_idle_stddev },
};
/* keys that are not columns: times without rounding */
static const struct view_field by_run = { .number = row_run_ns }, by_idle = { .number = row_idle_ns };

static const char *name_of(const struct sched_task *task, struct arena *a)
{
	struct strbuf sb = STRBUF_INIT;
	const char *ret;

	sched_add_name(&sb, task);
	if (task->pid >= 0 && task->pid != task->tid)
		strbuf_addf(&sb, "[%d/%d]", task->tid, task->pid);
	else
		strbuf_addf(&sb, "[%d]", task->tid);
	ret = arena_strdup(a, strbuf_str(&sb));
	strbuf_release(&sb);
	return ret;
}

/* leaves the rows that the table shows at the beginning of sum; their number */
static size_t choose_rows(struct sched_timehist *t, struct arena *a)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->sum.nr; i++) {
		struct sched_timehist_sum sum = t->sum.v[i];
		struct sched_task *task = t->sched.task.v[sum.task];

		if (!(t->o->idle ? sum.nr_idle : sum.nr))
			continue;
		sched_task_resolve(&t->sched, task);
		sum.name = name_of(task, a);
		sum.parent = sched_text(a, "%d", task->ppid);
		t->sum.v[nr++] = sum;
	}
	t->sum.nr = nr;
	return nr;
}

static void add_table(struct sched_timehist *t, struct view *v, u32 form)
{
	u32 kind = t->o->idle ? IDLES : t->o->state ? WAITS : RUNS;
	const struct view_sort sort = { .key = { t->o->idle ? &by_idle : &by_run }, .nr = 1,
				       .tie = row_task };
	struct view_rows rows = { .field = columns, .nr_fields = ARRAY_SIZE(columns), .form = form,
				 .table = kind,
				  .nr = choose_rows(t, &v->arena), .size = sizeof(*t->sum.v),
				  .limit = UINT64_MAX };
	struct view_table *table;

	rows.row = t->sum.v;
	view_sort_rows(&sort, t->sum.v, rows.nr, rows.size);
	table = view_add_rows(v, &rows);
	table->name = t->o->idle ? "idle" : t->o->state ? "waits" : "runs";
	vec_push(&table->head, t->o->idle ? "Idle-time summary" : t->o->state ? "Wait-time summary" :
				"Runtime summary");
}

#undef GET
#define GET(type, name, value) \
	static type name(const void *row) { const struct sched_idle_stack *r = row; return value; }
GET(u64, stack_cpu, r->cpu)
GET(double, stack_time, r->time / 1e6)
GET(u64, stack_ns, r->time)
GET(u64, stack_nr, r->nr)
GET(const char *, stack_text, r->text)
GET(u64, stack_id, (u64)r->cpu << 32 | r->stack)
static const struct view_field stack_columns[] = {
	{ VIEW_COUNT("cpu", "CPU", VIEW_NUMBER, 4), .number = stack_cpu },
	MS("idle-time", "Idle time ms"), .real = stack_time },
	{ VIEW_COUNT("count", "Count", VIEW_NUMBER, 8), .number = stack_nr },
	{ VIEW_NAME("stack", "Callchains", VIEW_TEXT, 0), .text = stack_text },
};
static const struct view_field by_stack_time = { .number = stack_ns };

static void add_idle_stacks(struct sched_timehist *t, struct view *v, u32 form)
{
	const struct view_sort sort = { .key = { &by_stack_time }, .nr = 1, .tie = stack_id };
	struct view_rows rows = { .field = stack_columns, .nr_fields = ARRAY_SIZE(stack_columns),
				 .form = form,
				  .row = t->idle_stack.v, .nr = t->idle_stack.nr,
				  .size = sizeof(*t->idle_stack.v), .limit = UINT64_MAX };
	struct view_table *table;

	vec_foreach(&t->idle_stack, s) {
		strbuf_reset(&t->tmp);
		tracing_stack_text(&t->stacks, s->stack, &t->tmp);
		s->text = arena_strdup(&v->arena, strbuf_str(&t->tmp));
	}
	view_sort_rows(&sort, t->idle_stack.v, rows.nr, rows.size);
	table = view_add_rows(v, &rows);
	table->name = "idle-stacks";
	vec_push(&table->head, "Idle stats by callchain");
}

static struct view_words *add_real(struct view_summary *b, const char *key, const char *before, double value)
{
	struct view_words *w = view_add_number(b, key, before, 0);

	w->value = (struct view_value){ .type = VIEW_REAL, .real = value };
	w->decimals = 3;
	return w;
}

static void add_idle_cpus(struct sched_timehist *t, struct view *v)
{
	struct view_summary *b = view_add_summary(v, "idle", "Idle stats");
	u64 length = sched_length(&t->sched);

	for (u32 cpu = 0; cpu < t->sched.cpu.nr; cpu++) {
		u64 ns = cpu < t->idle.nr ? t->idle.v[cpu] : 0;
		struct view_words *w;

		if (!t->sched.cpu.v[cpu].used || !id_filter_ok(&t->sched.filter.cpus, cpu))
			continue;
		w = add_real(b, sched_text(&v->arena, "cpu%u-ms", cpu),
			     sched_text(&v->arena, "CPU %2u idle for ", cpu), ns / 1e6);
		w->after = " msec  (";
		w = view_add_number(b, sched_text(&v->arena, "cpu%u-percent", cpu), "", 0);
		w->value = (struct view_value){ .type = VIEW_SHARE, .real = length ?
					       100.0 * ns / length : 0 };
		w->decimals = 2;
		w->after = ")\n";
	}
}

static void add_totals(struct sched_timehist *t, struct view *v)
{
	struct view_summary *b = view_add_summary(v, "summary", "SUMMARY");
	u64 nr = 0, run = 0, cpus = 0;

	vec_foreach(&t->sum, sum) {
		nr += t->o->idle ? sum->nr_idle : sum->nr;
		run += t->o->idle ? sum->idle : sum->run;
	}
	vec_foreach(&t->sched.cpu, cpu)
		cpus += cpu->used;
	view_add_number(b, "tasks", "Total number of unique tasks: ", t->sum.nr);
	view_add_number(b, "runs", "Total number of context switches: ", nr);
	add_real(b, "run-ms", "Total run time (msec): ", run / 1e6);
	add_real(b, "length-ms", "Total scheduling time (msec): ",
		 sched_length(&t->sched) / 1e6)->after = " (x ";
	view_add_number(b, "cpus", "", cpus)->after = ")\n";
	sched_add_holes(b, &t->sched);
}

struct view *sched_timehist_view(struct sched_timehist *t, u32 form)
{
	struct view *v = sched_view_new(&t->sched);

	add_table(t, v, form);
	if (t->o->idle && t->idle_stack.nr)
		add_idle_stacks(t, v, form);
	add_idle_cpus(t, v);
	add_totals(t, v);
	return v;
}
