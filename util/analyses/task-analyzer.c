/* task-analyzer: when each task ran, from one switch to the next, and how long it had not run before. */
#include "analysis.h"
#include "tally.h"
#include "../base/strtab.h"
#include "../base/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* words that are files are not the first one: analysis_run.file */
enum { SUMMARY, SUMMARY_ONLY, SUMMARY_EXTENDED, EXTENDED, NS, MS, FILTER_TASKS, LIMIT_TASKS, TIME_LIMIT,
       RENAME, HIGHLIGHT, CSV, CSV_SUMMARY };
static const char *const words[] = {
	"--summary", "--summary-only", "--summary-extended", "--extended-times", "--ns", "--ms",
	"--filter-tasks=", "--limit-to-tasks=", "--time-limit=", "--rename-comms-by-tids=",
	"--highlight-tasks=", "--csv=", "--csv-summary=", NULL
};
#define WANTS_SUMMARY(word) ((word)[SUMMARY] || (word)[SUMMARY_ONLY] || (word)[SUMMARY_EXTENDED])

#define NONE UINT64_MAX		/* the task did not run before */

struct task_run {
	u64 in, out, last_in, last_out;		/* last: of the run before; NONE */
	u32 cpu, comm;
	s32 pid, tid;
	const char *comm_text;
};

struct task_sum {
	s32 pid, tid;
	const char *comm_text;
	u64 nr, total, mean, median, min, max, max_at;
	/* the longest times between two runs that follow each other; NONE: it ran once */
	u64 out_in, out_in_at, out_out, in_in, in_out;
};

struct task_runs {
	struct analysis_run run;
	struct strtab names;
	struct tally_table cpu, task;
	u64 from, to;			/* runs are shown that are between these times */
	struct { VEC(struct task_run); } runs;
	struct { VEC(struct task_sum); } sums;
};

enum { CPU_KNOWN, CPU_TID, CPU_IN };
enum { TASK_KNOWN, TASK_IN, TASK_OUT, TASK_PID };
enum { PREV_COMM, PREV_PID, NEXT_PID };
static const struct tracing_field switch_fields[] = {
	{ .name = "prev_comm", .is_bytes = true }, { .name = "prev_pid" }, { .name = "next_pid" },
	{ .name = NULL }
};

/* the process of the task that leaves the CPU; the kernel does not tell it of one that has exited */
static s32 pid_of(struct tally_row *task, const struct tracing_sample *ts)
{
	s32 tid = ts->value[PREV_PID];

	if ((s32)ts->sample->tid == tid && (s32)ts->sample->pid > 0)
		task->n[TASK_PID] = ts->sample->pid;
	return task->n[TASK_PID] ? (s32)task->n[TASK_PID] : -1;
}

static void end_run(struct task_runs *t, const struct tracing_sample *ts, u64 in)
{
	struct tally_row *task = tally_at(&t->task, (u32)ts->value[PREV_PID], 0, 0, 0);
	const struct tracing_bytes *comm = &ts->bytes[PREV_COMM];
	bool known = task->n[TASK_KNOWN];

	vec_push(&t->runs, ((struct task_run){
		.in = in, .out = ts->when.time, .last_in = known ? task->n[TASK_IN] : NONE,
		.last_out = known ? task->n[TASK_OUT] : NONE, .cpu = ts->sample->cpu,
		.comm = strtab_addn(&t->names, comm->data, tracing_text_len(comm)),
		.pid = pid_of(task, ts), .tid = ts->value[PREV_PID] }));
	task->n[TASK_KNOWN] = true;
	task->n[TASK_IN] = in;
	task->n[TASK_OUT] = ts->when.time;
}

static void handle_switch(void *ctx, const struct tracing_sample *ts)
{
	struct task_runs *t = ctx;
	struct tally_row *cpu = tally_at(&t->cpu, ts->sample->cpu, 0, 0, 0);

	/* another task than the one that was switched in: events were lost */
	if (cpu->n[CPU_KNOWN] && cpu->n[CPU_TID] == (u32)ts->value[PREV_PID] && cpu->n[CPU_TID] &&
	    ts->when.time >= cpu->n[CPU_IN])
		end_run(t, ts, cpu->n[CPU_IN]);
	cpu->n[CPU_KNOWN] = true;
	cpu->n[CPU_TID] = (u32)ts->value[NEXT_PID];
	cpu->n[CPU_IN] = ts->when.time;
}

/* ---- which runs are shown, and how they are called ---- */

/* whether a word of a list is the task's name or one of its numbers */
static bool is_task(const char *word, size_t len, const struct task_run *r, const char *comm)
{
	char pid[16], tid[16];
	const char *const names[] = { pid, tid, comm };

	snprintf(pid, sizeof(pid), "%d", r->pid);
	snprintf(tid, sizeof(tid), "%d", r->tid);
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == len && !strncmp(word, names[i], len))
			return true;
	return false;
}

/* whether a list of names and numbers, with commas between them, has the task */
static bool list_has(const char *list, const struct task_run *r, const char *comm)
{
	while (*list) {
		size_t len = strcspn(list, ",");

		if (is_task(list, len, r, comm))
			return true;
		list += len + (list[len] == ',');
	}
	return false;
}

static bool is_wanted(const struct task_runs *t, const struct task_run *r)
{
	const char *only = t->run.args->word[LIMIT_TASKS], *without = t->run.args->word[FILTER_TASKS];
	const char *comm = strtab_get(&t->names, r->comm);

	return r->in >= t->from && r->out <= t->to && (!only || list_has(only, r, comm)) &&
	       (!without || !list_has(without, r, comm));
}

/* "12.5:13": seconds; a side that is empty has no limit */
static int parse_time_limit(struct task_runs *t, const char *limit, struct err *err)
{
	const char *colon = strchr(limit, ':');
	char from[32] = "";

	t->to = UINT64_MAX;
	if (!limit[0] || (limit[0] == ':' && !limit[1]))
		colon = NULL;
	if (colon)
		snprintf(from, sizeof(from), "%.*s", (int)(colon - limit), limit);
	if (colon && (!*from || !parse_seconds(from, &t->from)) &&
	    (!colon[1] || !parse_seconds(colon + 1, &t->to)) && t->from <= t->to)
		return 0;
	return err_set(err, -EINVAL, "--time-limit takes two times in seconds, such as 12.5:13, not '%s'",
		       limit);
}

/*
 * the name of a thread in a list TID:NAME,TID:NAME, and its length; NULL: it has none. tid -1: *ret_bad is
 * the first word that is not such a pair, or NULL
 */
static const char *new_name(const char *list, s32 tid, size_t *ret_len, const char **ret_bad)
{
	*ret_bad = NULL;
	while (list && *list) {
		size_t len = strcspn(list, ","), digits = strspn(list, "0123456789");
		s64 number = digits < 10 ? strtoll(list, NULL, 10) : -1;

		if (!digits || list[digits] != ':' || len <= digits + 1 || number < 0)
			*ret_bad = *ret_bad ?: list;
		else if (tid == number)
			return *ret_len = len - digits - 1, list + digits + 1;
		list += len + (list[len] == ',');
	}
	return NULL;
}

static const char *name_of(struct task_runs *t, const struct task_run *r)
{
	const char *bad, *name;
	size_t len;

	name = new_name(t->run.args->word[RENAME], r->tid, &len, &bad);
	if (!name)
		return analysis_safe_name(&t->run, strtab_get(&t->names, r->comm));
	return analysis_safe_name(&t->run, analysis_text(&t->run, "%.*s", (int)len, name));
}

/* ---- colors of rows ---- */

static const struct {
	const char *name;
	u8 sgr;
} colors[] = {
	{ "red", 91 }, { "grey", 90 }, { "yellow", 93 }, { "blue", 94 }, { "violet", 95 }, { "green", 92 },
};

/* of "mutt:yellow", a word of that length of a list; the first one where it names none; 0: an unknown name */
static u8 color_of_word(const char *word, size_t len, size_t *ret_name_len)
{
	const char *colon = memrchr(word, ':', len);

	*ret_name_len = colon ? (size_t)(colon - word) : len;
	for (u32 i = 0; i < ARRAY_SIZE(colors); i++)
		if (!colon || (strlen(colors[i].name) == len - *ret_name_len - 1 &&
			       !strncmp(colon + 1, colors[i].name, strlen(colors[i].name))))
			return colors[i].sgr;
	return 0;
}

/* the last word for a task decides */
static u8 color_of(const char *list, const struct task_run *r, const char *comm)
{
	u8 ret = 0;

	while (*list) {
		size_t len = strcspn(list, ","), name_len;
		u8 color = color_of_word(list, len, &name_len);

		if (is_task(list, name_len, r, comm))
			ret = color;
		list += len + (list[len] == ',');
	}
	return ret;
}

static int check_colors(const char *list, struct err *err)
{
	while (*list) {
		size_t len = strcspn(list, ","), name_len;

		if (!color_of_word(list, len, &name_len))
			return err_set(err, -EINVAL, "--highlight-tasks takes a list such as 1:red,"
				       "mutt:yellow, with red, grey, yellow, blue, violet and green, "
				       "not '%.*s'", (int)len, list);
		list += len + (list[len] == ',');
	}
	return 0;
}

static void color_rows(struct task_runs *t, struct view_table *table)
{
	u8 *color = arena_zalloc(&t->run.arena, t->runs.nr + 1);

	vec_foreach(&t->runs, r)
		color[r - t->runs.v] = color_of(t->run.args->word[HIGHLIGHT], r,
						strtab_get(&t->names, r->comm));
	table->row_color = color;
}

static int check_files(const char *const *word, struct err *err)
{
	if (word[CSV] && word[SUMMARY_ONLY])
		return err_set(err, -EINVAL, "--csv writes a row for each time a task ran, which "
			       "--summary-only leaves out");
	if (word[CSV] && WANTS_SUMMARY(word) && !word[CSV_SUMMARY])
		return err_set(err, -EINVAL, "with --csv nothing is printed: --csv-summary=FILE writes the "
			       "summary");
	return 0;
}

static int begin(void *ctx, struct err *err)
{
	struct task_runs *t = ctx;
	const char *limit = t->run.args->word[TIME_LIMIT], *bad;
	size_t len;

	t->to = UINT64_MAX;
	new_name(t->run.args->word[RENAME], -1, &len, &bad);
	if (bad)
		return err_set(err, -EINVAL, "--rename-comms-by-tids takes a list of TID:NAME, not '%.*s'",
			       (int)strcspn(bad, ","), bad);
	if (check_files(t->run.args->word, err) ||
	    check_colors(t->run.args->word[HIGHLIGHT] ?: "", err))
		return err->code;
	return limit ? parse_time_limit(t, limit, err) : 0;
}

/* ---- columns ---- */

#define GET(type, of, name, value) \
	static type of##_##name(const void *row) { const struct of *r = row; return value; }
GET(u64, task_run, in, r->in)
GET(u64, task_run, out, r->out)
GET(u64, task_run, cpu, r->cpu)
GET(u64, task_run, pid, (s64)r->pid)
GET(u64, task_run, tid, r->tid)
GET(const char *, task_run, comm, r->comm_text)
GET(u64, task_run, runtime, r->out - r->in)
GET(u64, task_run, out_in, r->last_out == NONE ? NONE : r->in - r->last_out)
GET(u64, task_run, out_out, r->last_out == NONE ? NONE : r->out - r->last_out)
GET(u64, task_run, in_in, r->last_out == NONE ? NONE : r->in - r->last_in)
GET(u64, task_run, in_out, r->last_out == NONE ? NONE : r->out - r->last_in)
GET(u64, task_sum, pid, (s64)r->pid)
GET(u64, task_sum, tid, r->tid)
GET(const char *, task_sum, comm, r->comm_text)
GET(u64, task_sum, nr, r->nr)
GET(u64, task_sum, total, r->total)
GET(u64, task_sum, mean, r->mean)
GET(u64, task_sum, median, r->median)
GET(u64, task_sum, min, r->min)
GET(u64, task_sum, max, r->max)
GET(u64, task_sum, max_at, r->max_at)
GET(u64, task_sum, out_in, r->out_in)
GET(u64, task_sum, out_in_at, r->out_in_at)
GET(u64, task_sum, out_out, r->out_out)
GET(u64, task_sum, in_in, r->in_in)
GET(u64, task_sum, in_out, r->in_out)

static const char *no_run(const void *row)
{
	return ((const struct task_run *)row)->last_out == NONE ? "the task did not run before" : NULL;
}

static const char *no_pair(const void *row)
{
	return ((const struct task_sum *)row)->in_in == NONE ? "the task ran once" : NULL;
}

static void add_us(u64 ns, struct strbuf *out)
{
	if (ns == NONE)
		strbuf_addstr(out, "-1.000");
	else
		strbuf_addf(out, "%lu.%03lu", ns / 1000, ns % 1000);
}

static void add_ms(u64 ns, struct strbuf *out)
{
	add_us(ns == NONE ? NONE : ns / 1000 + (ns % 1000 >= 500), out);
}

static void add_ns(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%ld", ns == NONE ? -1l : (long)ns);
}

static void add_seconds(u64 ns, struct strbuf *out)
{
	u64 us = ns / 1000 + (ns % 1000 >= 500);

	if (ns == NONE)
		strbuf_addstr(out, "-1.000000");
	else
		strbuf_addf(out, "%lu.%06lu", us / 1000000, us % 1000000);
}

static void add_seconds_ns(u64 ns, struct strbuf *out)
{
	if (ns == NONE)
		strbuf_addstr(out, "-1.000000000");
	else
		strbuf_addf(out, "%lu.%09lu", ns / 1000000000, ns % 1000000000);
}

#define OF_RUNS		(1u << 0)
#define OF_EXTENDED	(1u << 1)
/* times in seconds have add_seconds here, the others add_us: choose_units() changes both */
static const struct view_field run_columns[] = {
	{ VIEW_COUNT("switched-in", "Switched-In", VIEW_TIME, 17), .number = task_run_in,
	  .format = add_seconds },
	{ VIEW_COUNT("switched-out", "Switched-Out", VIEW_TIME, 17), .number = task_run_out,
	  .format = add_seconds },
	{ VIEW_COUNT("cpu", "CPU", VIEW_NUMBER, 3), .number = task_run_cpu },
	{ VIEW_COUNT("pid", "PID", VIEW_SIGNED, 8), .number = task_run_pid },
	{ VIEW_COUNT("tid", "TID", VIEW_NUMBER, 8), .number = task_run_tid },
	{ VIEW_COUNT("comm", "Comm", VIEW_TEXT, 16), .text = task_run_comm },
	{ VIEW_COUNT("runtime", "Runtime", VIEW_TIME, 10), .number = task_run_runtime, .format = add_us },
	{ VIEW_COUNT("out-in", "Time Out-In", VIEW_TIME, 15), .number = task_run_out_in, .format = add_us,
	  .absent = no_run },
	{ VIEW_COUNT("out-out", "Time Out-Out", VIEW_TIME, 15), .tables = OF_EXTENDED,
	  .number = task_run_out_out, .format = add_us, .absent = no_run },
	{ VIEW_COUNT("in-in", "Time In-In", VIEW_TIME, 15), .tables = OF_EXTENDED,
	  .number = task_run_in_in, .format = add_us, .absent = no_run },
	{ VIEW_COUNT("in-out", "Time In-Out", VIEW_TIME, 15), .tables = OF_EXTENDED,
	  .number = task_run_in_out, .format = add_us, .absent = no_run },
};
static const struct view_field sum_columns[] = {
	{ VIEW_COUNT("pid", "PID", VIEW_SIGNED, 5), .number = task_sum_pid },
	{ VIEW_COUNT("tid", "TID", VIEW_NUMBER, 5), .number = task_sum_tid },
	{ VIEW_COUNT("comm", "Comm", VIEW_TEXT, 16), .text = task_sum_comm },
	{ VIEW_COUNT("runs", "Runs", VIEW_NUMBER, 4), .number = task_sum_nr },
	{ VIEW_COUNT("accumulated", "Accumulated", VIEW_TIME, 11), .number = task_sum_total,
	  .format = add_us },
	{ VIEW_COUNT("mean", "Mean", VIEW_TIME, 8), .number = task_sum_mean, .format = add_us },
	{ VIEW_COUNT("median", "Median", VIEW_TIME, 8), .number = task_sum_median, .format = add_us },
	{ VIEW_COUNT("minimum", "Min", VIEW_TIME, 8), .number = task_sum_min, .format = add_us },
	{ VIEW_COUNT("maximum", "Max", VIEW_TIME, 8), .number = task_sum_max, .format = add_us },
	{ VIEW_COUNT("maximum-at", "Max At", VIEW_TIME, 12), .number = task_sum_max_at,
	  .format = add_seconds },
	{ VIEW_COUNT("maximum-out-in", "Max Out-In", VIEW_TIME, 12), .tables = OF_EXTENDED,
	  .column.title_in_group = "Out-In",
	  .number = task_sum_out_in, .format = add_us, .absent = no_pair },
	{ VIEW_COUNT("maximum-out-in-at", "Max At", VIEW_TIME, 12), .tables = OF_EXTENDED,
	  .number = task_sum_out_in_at, .format = add_seconds, .absent = no_pair },
	{ VIEW_COUNT("maximum-out-out", "Max Out-Out", VIEW_TIME, 12), .tables = OF_EXTENDED,
	  .column.title_in_group = "Out-Out",
	  .number = task_sum_out_out, .format = add_us, .absent = no_pair },
	{ VIEW_COUNT("maximum-in-in", "Max In-In", VIEW_TIME, 12), .tables = OF_EXTENDED,
	  .column.title_in_group = "In-In",
	  .number = task_sum_in_in, .format = add_us, .absent = no_pair },
	{ VIEW_COUNT("maximum-in-out", "Max In-Out", VIEW_TIME, 12), .tables = OF_EXTENDED,
	  .column.title_in_group = "In-Out",
	  .number = task_sum_in_out, .format = add_us, .absent = no_pair },
};

/*
 * a copy of columns in the requested units, with the titles that files use; text shows -1 where other formats
 * show no value
 */
static const struct view_field *choose_units(struct task_runs *t, const struct view_field *field, u32 nr)
{
	struct view_field *ret = arena_zalloc(&t->run.arena, nr * sizeof(*ret));
	const char *const *word = t->run.args->word;

	memcpy(ret, field, nr * sizeof(*ret));
	for (u32 i = 0; i < nr; i++) {
		if (ret[i].format == add_seconds && word[NS])
			ret[i].format = add_seconds_ns;
		else if (ret[i].format == add_us)
			ret[i].format = word[NS] ? add_ns : word[MS] ? add_ms : add_us;
		if (t->run.form == VIEW_FORM_TEXT)
			ret[i].absent = NULL;
		if (t->run.file && ret[i].column.title_in_group)
			ret[i].column.title = ret[i].column.title_in_group;
	}
	return ret;
}

/* ---- sums ---- */

static int by_task(const void *a, const void *b)
{
	const struct task_run *x = *(const struct task_run *const *)a;
	const struct task_run *y = *(const struct task_run *const *)b;
	u64 run_x = x->out - x->in, run_y = y->out - y->in;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (run_x != run_y)
		return run_x < run_y ? -1 : 1;
	return x < y ? -1 : x > y;
}

static bool raise_max(u64 *max, u64 value)
{
	bool ret = value != NONE && (*max == NONE || value > *max);

	if (ret)
		*max = value;
	return ret;
}

/* rounded; a half goes to the even number, as in Python */
static u64 divide(u64 total, u64 nr)
{
	u64 ret = total / nr, rest = 2 * (total % nr);

	return ret + (rest > nr || (rest == nr && ret % 2));
}

/* runs of one task, the shortest first; its last name is that of the run that ended last */
static void add_sum(struct task_runs *t, const struct task_run *const *r, size_t nr)
{
	const struct task_run *last = r[0], *max = r[nr - 1];
	struct task_sum sum = { .tid = r[0]->tid, .pid = -1, .nr = nr, .min = r[0]->out - r[0]->in,
				.max = max->out - max->in, .max_at = max->in,
				.out_in = NONE, .out_in_at = NONE, .out_out = NONE, .in_in = NONE,
				.in_out = NONE };
	const struct task_run *above = r[nr / 2], *below = r[(nr - 1) / 2];
	u64 middle = above->out - above->in, before = below->out - below->in;

	for (size_t i = 0; i < nr; i++) {
		sum.total += r[i]->out - r[i]->in;
		last = r[i] > last ? r[i] : last;
		sum.pid = MAX(sum.pid, r[i]->pid);
		if (raise_max(&sum.out_in, task_run_out_in(r[i])))
			sum.out_in_at = r[i]->in;
		raise_max(&sum.out_out, task_run_out_out(r[i]));
		raise_max(&sum.in_in, task_run_in_in(r[i]));
		raise_max(&sum.in_out, task_run_in_out(r[i]));
	}
	sum.comm_text = last->comm_text;
	sum.mean = divide(sum.total, nr);
	sum.median = before + (middle - before) / 2;
	sum.median += (middle - before) % 2 && sum.median % 2;
	vec_push(&t->sums, sum);
}

static void view_sums(struct task_runs *t, struct view *v)
{
	const struct task_run **r = arena_zalloc(&t->run.arena, (t->runs.nr + 1) * sizeof(*r));
	bool extended = t->run.args->word[SUMMARY_EXTENDED];
	size_t nr = t->runs.nr, first = 0;

	t->sums.nr = 0;
	for (size_t i = 0; i < nr; i++)
		r[i] = &t->runs.v[i];
	qsort(r, nr, sizeof(*r), by_task);
	for (size_t i = 1; i <= nr; i++)
		if (i == nr || r[i]->tid != r[first]->tid) {
			add_sum(t, r + first, i - first);
			first = i;
		}
	t->run.table = extended ? OF_EXTENDED : OF_RUNS;
	analysis_add_table(&t->run, v, "summary", extended ? "Summary with Max Inter Task Times" : "Summary",
			   choose_units(t, sum_columns, ARRAY_SIZE(sum_columns)), ARRAY_SIZE(sum_columns),
			   t->sums.v, t->sums.nr, sizeof(*t->sums.v));
}

static void view_runs(struct task_runs *t, struct view *v)
{
	struct view_table *table;

	t->run.table = t->run.args->word[EXTENDED] ? OF_EXTENDED : OF_RUNS;
	table = analysis_add_table(&t->run, v, "runs", NULL,
				   choose_units(t, run_columns, ARRAY_SIZE(run_columns)),
				   ARRAY_SIZE(run_columns), t->runs.v, t->runs.nr, sizeof(*t->runs.v));
	if (t->run.args->word[HIGHLIGHT])
		color_rows(t, table);
}

/* the runs that are shown, with their names */
static void choose_runs(struct task_runs *t)
{
	size_t nr = 0;

	vec_foreach(&t->runs, r)
		if (is_wanted(t, r)) {
			r->comm_text = name_of(t, r);
			t->runs.v[nr++] = *r;
		}
	t->runs.nr = nr;
}

static void view(void *ctx, struct view *v)
{
	struct task_runs *t = ctx;
	const char *const *word = t->run.args->word;

	choose_runs(t);
	if (t->run.file ? t->run.file == CSV : !word[SUMMARY_ONLY])
		view_runs(t, v);
	if (t->run.file ? t->run.file == CSV_SUMMARY : WANTS_SUMMARY(word))
		view_sums(t, v);
}

static void release(void *ctx)
{
	struct task_runs *t = ctx;

	strtab_release(&t->names);
	tally_release(&t->cpu);
	tally_release(&t->task);
	vec_release(&t->runs);
	vec_release(&t->sums);
}

static const struct tracing_row rows[] = {
	{ "sched:sched_switch", switch_fields, handle_switch, false },
};
const struct analysis_ops analysis_task_analyzer = {
	.size = sizeof(struct task_runs), .word = words, .files = 1u << CSV | 1u << CSV_SUMMARY,
	.whole_system = true, .row = rows, .nr_rows = ARRAY_SIZE(rows), .begin = begin, .view = view,
	.release = release,
};
