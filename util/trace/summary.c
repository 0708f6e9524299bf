/* Summary: how often each call was made and how long it took, as text and as a view. */
#include "trace-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/sort.h"
#include "../fields/file-facts.h"
#include "../view/rows.h"

/* ---- rows ---- */

/* one call of one thread or group */
struct row {
	const struct trace_stat *st;
	const struct trace_thread *th;	/* NULL: of a group */
	const char *comm, *cgroup, *name;
};

static const char *name_of(const struct trace_stat *st, struct arena *arena)
{
	const struct syscall_row *row = st->table ? syscall_by_nr(st->table, st->nr) : NULL;
	char *name;

	if (row)
		return row->name;
	name = arena_alloc(arena, 24);
	snprintf(name, 24, "syscall_%d", (s32)st->nr);
	return name;
}

static int by_total(const void *a, const void *b)
{
	const struct trace_stat *x = ((const struct row *)a)->st, *y = ((const struct row *)b)->st;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

struct rows { VEC(struct row); };

/* appends the rows of one table, the longest total first, at most the wanted number */
static void add_rows(const struct trace *t, const struct trace_stats *stats, const struct row *same,
		     struct arena *arena, struct rows *out)
{
	size_t first = out->nr;

	for (size_t i = 0; i < stats->nr; i++) {
		struct row row = *same;

		row.st = &stats->v[i];
		row.name = name_of(row.st, arena);
		vec_push(out, row);
	}
	if (out->nr > first)
		qsort(out->v + first, out->nr - first, sizeof(*out->v), by_total);
	if (t->o->max_summary && out->nr - first > t->o->max_summary)
		out->nr = first + t->o->max_summary;
}

/* ---- text ---- */

static const struct { const char *name; double p; } percentile[] = {
	{ "p50", 50 }, { "p95", 95 }, { "p99", 99 },
};

static void put_titles(struct strbuf *out)
{
	static const char *const line[] = {
		"   syscall            calls  errors  total       min       avg       max       stddev",
		"                                     (msec)    (msec)    (msec)    (msec)        (%)",
		"   --------------- --------  ------ -------- --------- --------- ---------     ------",
	};

	for (size_t l = 0; l < ARRAY_SIZE(line); l++) {
		strbuf_addstr(out, line[l]);
		for (size_t i = 0; i < ARRAY_SIZE(percentile); i++)
			strbuf_addf(out, " %9s", l == 0 ? percentile[i].name : l == 1 ? "(msec)" :
				    "---------");
		strbuf_addch(out, '\n');
	}
}

static void put_errnos(const struct trace_stat *st, struct strbuf *out)
{
	vec_foreach(&st->errnos, e) {
		const char *name = syscall_errno_name(st->table, e->errnum, NULL);

		if (name)
			strbuf_addf(out, "\t\t\t\t%s: %lu\n", name, e->nr);
		else
			strbuf_addf(out, "\t\t\t\t%d: %lu\n", e->errnum, e->nr);
	}
}

/* steps of powers of two: a line each, with a bar */
static void put_histogram(const struct trace_stat *st, struct strbuf *out)
{
	struct histogram_powers p;

	histogram_by_powers(&st->histogram, &p);
	for (u32 i = p.first; i < p.end; i++) {
		strbuf_addf(out, "      %12.6f - %12.6f ms %9lu%s",
			    histogram_start(i * HISTOGRAM_STEPS) / 1e6,
			    histogram_start((i + 1) * HISTOGRAM_STEPS) / 1e6, p.count[i],
			    p.count[i] ? " " : "");
		histogram_bar(&p, i, out);
		strbuf_addch(out, '\n');
	}
}

static void put_row(const struct trace *t, const struct row *r, struct strbuf *out)
{
	const struct trace_stat *st = r->st;

	strbuf_addf(out, "   %-15s %8lu %6lu %9.3f %9.3f %9.3f %9.3f %9.2f%%", r->name, st->calls, st->errors,
		    st->total / 1e6, st->timed ? st->min / 1e6 : 0, st->mean / 1e6, st->max / 1e6,
		    trace_deviation(st));
	for (size_t i = 0; i < ARRAY_SIZE(percentile); i++)
		strbuf_addf(out, " %9.3f", trace_percentile(st, percentile[i].p) / 1e6);
	strbuf_addch(out, '\n');
	if (t->o->errnos)
		put_errnos(st, out);
	if (t->o->histogram)
		put_histogram(st, out);
}

static void put_table(const struct trace *t, const struct trace_stats *stats, struct strbuf *out)
{
	struct arena arena = { 0 };
	struct rows rows = { 0 };

	add_rows(t, stats, &(struct row){ 0 }, &arena, &rows);
	put_titles(out);
	vec_foreach(&rows, r)
		put_row(t, r, out);
	strbuf_addstr(out, "\n\n");
	vec_release(&rows);
	arena_release(&arena);
}

static const char *thread_comm(const struct trace *t, const struct trace_thread *th)
{
	if (th->counted_comm)
		return th->counted_comm;
	return th->comm == ID_NONE ? "" : machine_comm_name(t->s->machine, th->comm);
}

static int by_events(const void *a, const void *b)
{
	const struct trace_thread *x = *(struct trace_thread *const *)a;
	const struct trace_thread *y = *(struct trace_thread *const *)b;

	if (x->nr_events != y->nr_events)
		return x->nr_events < y->nr_events ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static u64 events_of_threads(const struct trace *t)
{
	u64 sum = 0;

	vec_foreach(&t->thread, th)
		sum += (*th)->nr_events;
	return sum;
}

static void put_threads(struct trace *t, struct strbuf *out)
{
	u64 sum = events_of_threads(t);

	if (t->thread.nr)
		qsort(t->thread.v, t->thread.nr, sizeof(*t->thread.v), by_events);
	hidx_release(&t->by_tid);	/* positions have changed */
	vec_foreach(&t->thread, p) {
		const struct trace_thread *th = *p;

		if (!th->nr_events)
			continue;
		strbuf_addch(out, ' ');
		strbuf_add_safe(out, thread_comm(t, th));
		strbuf_addf(out, " (%d), %lu events, %.1f%%", th->tid, th->nr_events,
			    100.0 * th->nr_events / sum);
		if (th->nr_major)
			strbuf_addf(out, ", %lu majfaults", th->nr_major);
		if (th->nr_minor)
			strbuf_addf(out, ", %lu minfaults", th->nr_minor);
		if (t->o->sched)
			strbuf_addf(out, ", %.3f msec", th->runtime_ns / 1e6);
		if (th->nr_unpaired && tracing_nr_lost(t->s))
			strbuf_addf(out, ", %lu calls in part", th->nr_unpaired);
		strbuf_addstr(out, "\n\n");
		put_table(t, &th->stats, out);
	}
}

static const char *cgroup_name(const struct trace *t, u64 key, struct arena *arena)
{
	const char *name = machine_cgroup(t->s->machine, key);
	char *text;

	if (name)
		return name;
	text = arena_alloc(arena, 32);
	snprintf(text, 32, "cgroup:%lu", key);
	return text;
}

static void put_groups(struct trace *t, struct strbuf *out)
{
	struct arena arena = { 0 };

	vec_foreach(&t->groups, g) {
		if (t->o->mode == TRACE_TOTAL) {
			strbuf_addf(out, " total, %lu events\n\n", g->nr_events);
		} else {
			strbuf_addstr(out, " cgroup ");
			strbuf_add_safe(out, cgroup_name(t, g->key, &arena));
			strbuf_addf(out, ", %lu events\n\n", g->nr_events);
		}
		put_table(t, &g->stats, out);
	}
	arena_release(&arena);
}

void trace_add_summary(struct trace *t, struct strbuf *out)
{
	u64 lost = tracing_nr_lost(t->s);

	strbuf_addstr(out, "\n Summary of events:\n\n");
	if (lost)
		strbuf_addf(out, " %lu event%s lost: calls are missing below, or have no duration\n\n", lost,
			    lost == 1 ? " was" : "s were");
	if (t->o->mode == TRACE_BY_THREAD)
		put_threads(t, out);
	else
		put_groups(t, out);
}

/* ---- view ---- */

#define GET(type, name, value) \
	static type name(const void *p) { const struct row *r = p; return value; }
GET(const char *, row_comm, r->comm)
GET(const char *, row_cgroup, r->cgroup)
GET(const char *, row_name, r->name)
GET(u64, row_tid, r->th->tid)
GET(u64, row_pid, r->th->pid)
GET(u64, row_calls, r->st->calls)
GET(u64, row_errors, r->st->errors)
GET(u64, row_total, r->st->total)
GET(u64, row_min, r->st->timed ? r->st->min : 0)
GET(u64, row_avg, r->st->mean)
GET(u64, row_max, r->st->max)
GET(double, row_stddev, trace_deviation(r->st))
GET(u64, row_p50, trace_percentile(r->st, 50))
GET(u64, row_p95, trace_percentile(r->st, 95))
GET(u64, row_p99, trace_percentile(r->st, 99))

#define THREADS .tables = 1u << TRACE_BY_THREAD
#define CGROUPS .tables = 1u << TRACE_BY_CGROUP
static const struct view_field columns[] = {
	{ VIEW_NAME("comm", "comm", VIEW_TEXT, 0), THREADS, .text = row_comm },
	{ VIEW_COUNT("pid", "pid", VIEW_NUMBER, 0), THREADS, .number = row_pid },
	{ VIEW_COUNT("tid", "tid", VIEW_NUMBER, 0), THREADS, .number = row_tid },
	{ VIEW_NAME("cgroup", "cgroup", VIEW_TEXT, 0), CGROUPS, .text = row_cgroup },
	{ VIEW_NAME("syscall", "syscall", VIEW_TEXT, 0), .text = row_name },
	{ VIEW_COUNT("calls", "calls", VIEW_NUMBER, 0), .number = row_calls },
	{ VIEW_COUNT("errors", "errors", VIEW_NUMBER, 0), .number = row_errors },
	{ VIEW_HALF("total", "total", VIEW_NUMBER, "ns"), .number = row_total },
	{ VIEW_HALF("min", "min", VIEW_NUMBER, "ns"), .number = row_min },
	{ VIEW_HALF("avg", "avg", VIEW_NUMBER, "ns"), .number = row_avg },
	{ VIEW_HALF("max", "max", VIEW_NUMBER, "ns"), .number = row_max },
	{ VIEW_COUNT("stddev", "stddev", VIEW_SHARE, 0), .decimals = 2, .real = row_stddev },
	{ VIEW_HALF("p50", "p50", VIEW_NUMBER, "ns"), .number = row_p50 },
	{ VIEW_HALF("p95", "p95", VIEW_NUMBER, "ns"), .number = row_p95 },
	{ VIEW_HALF("p99", "p99", VIEW_NUMBER, "ns"), .number = row_p99 },
};

struct view *trace_summary_view(struct trace *t)
{
	struct view *v = xcalloc(1, sizeof(*v));
	struct rows rows = { 0 };

	v->name = "trace";
	v->tables = "tables";
	file_facts(&v->fact, &v->arena, t->s);
	if (t->thread.nr)
		qsort(t->thread.v, t->thread.nr, sizeof(*t->thread.v), by_events);
	hidx_release(&t->by_tid);
	vec_foreach(&t->thread, th)
		add_rows(t, &(*th)->stats, &(struct row){ .th = *th, .comm = thread_comm(t, *th) }, &v->arena,
			 &rows);
	vec_foreach(&t->groups, g)
		add_rows(t, &g->stats, &(struct row){ .cgroup = cgroup_name(t, g->key, &v->arena) },
			 &v->arena, &rows);
	vec_push(&v->owned, rows.v);
	view_add_rows(v, &(struct view_rows){ .field = columns, .nr_fields = ARRAY_SIZE(columns),
		.form = VIEW_FORM_VALUES, .table = 1u << t->o->mode, .row = rows.v, .nr = rows.nr,
		.size = sizeof(*rows.v), .limit = UINT64_MAX })->name = "syscalls";
	view_fact_number(&v->fact, "events_lost", tracing_nr_lost(t->s));
	view_fact_number(&v->fact, "calls_unpaired", t->nr_unpaired);
	return v;
}
