/* Latency: see latency.h. */
#include "latency.h"

#include <stdlib.h>
#include <string.h>
#include "sched-view.h"

/* ---- listener ---- */

static struct sched_latency_row *row_of(struct sched_latency *l, const struct sched_task *t)
{
	for (u32 nr = l->row.nr; nr <= t->id; nr++)
		vec_push(&l->row, (struct sched_latency_row){ .task = nr, .nr_tasks = 1 });
	return &l->row.v[t->id];
}

static void on_interval(void *ctx, struct sched *s, const struct sched_interval *i)
{
	struct sched_task *t = s->task.v[i->task->id];
	struct sched_latency *l = ctx;
	u64 delay = i->end - i->begin;
	struct sched_latency_row *r;

	if (sched_is_idle(t))
		return;
	if (i->state == SCHED_RUNNING) {
		if (id_filter_ok(&s->filter.cpus, i->cpu) && sched_shows_task(s, t))
			row_of(l, t)->ran_switches += sched_time_within(s, i->begin, i->end);
		return;
	}
	if ((i->state != SCHED_RUNNABLE && i->state != SCHED_PREEMPTED) || i->next != SCHED_RUNNING ||
	    i->doubtful || !sched_shows(s, t, i->cpu, i->end))
		return;
	r = row_of(l, t);
	r->nr++;
	r->delay += delay;
	if (delay > r->max || r->nr == 1) {
		r->max = delay;
		r->max_start = i->begin;
		r->max_end = i->end;
	}
	if (l->keep_delays)
		vec_push(&l->delays, delay);
}

static void on_ran(void *ctx, struct sched *s, struct sched_task *t, u64 time, u64 ns)
{
	struct sched_latency *l = ctx;

	if (!sched_is_idle(t) && sched_shows(s, t, t->cpu, time))
		row_of(l, t)->ran += ns;
}

const struct sched_ops sched_latency_ops = { .interval = on_interval, .ran = on_ran };

void sched_latency_release(struct sched_latency *l)
{
	vec_release(&l->row);
	vec_release(&l->delays);
}

/* ---- view ---- */

#define GET(type, name, value) \
	static type name(const void *row) { const struct sched_latency_row *r = row; return value; }
GET(const char *, row_name, r->name)
GET(u64, row_task, r->task)
GET(u64, row_ran, r->ran)
GET(u64, row_nr, r->nr)
GET(u64, row_avg, r->nr ? r->delay / r->nr : 0)
GET(u64, row_max, r->max)
GET(u64, row_start, r->max_start)
GET(u64, row_end, r->max_end)
GET(u64, row_holes, r->nr_holes)
GET(const char *, no_delay, r->nr ? NULL : "no wait was measured")
GET(const char *, text_ran, r->text[0])
GET(const char *, text_avg, r->text[1])
GET(const char *, text_max, r->text[2])
GET(const char *, text_start, r->text[3])
GET(const char *, text_end, r->text[4])

#define TEXT(key, title, width, number_, text_) { VIEW_COUNT(key, title, VIEW_TEXT, width), \
	.forms = VIEW_FORM_TEXT, .number = number_, .text = text_ }
#define TIME(key, title, number_) { VIEW_HALF(key, title, VIEW_TIME, "ns"), .number = number_ }
#define DELAY(key, title, number_) { VIEW_HALF(key, title, VIEW_TIME, "ns"), .number = number_, \
	.absent = no_delay }
static const struct view_field columns[] = {
	{ VIEW_NAME("task", "Task", VIEW_TEXT, 21), .text = row_name },
	TEXT("runtime", "Runtime ms", 13, row_ran, text_ran),
	TIME("runtime", "Runtime", row_ran),
	{ VIEW_COUNT("switch", "Count", VIEW_NUMBER, 8), .number = row_nr },
	TEXT("avg", "Avg delay ms", 15, row_avg, text_avg),
	TEXT("max", "Max delay ms", 15, row_max, text_max),
	TEXT("max-start", "Max delay start", 24, NULL, text_start),
	TEXT("max-end", "Max delay end", 22, NULL, text_end),
	DELAY("avg", "Avg delay", row_avg),
	DELAY("max", "Max delay", row_max),
	DELAY("max-start", "Max delay start", row_start),
	DELAY("max-end", "Max delay end", row_end),
	{ VIEW_HALF("missing", "Missing events", VIEW_NUMBER, NULL), .number = row_holes },
};

int sched_latency_sort_parse(struct view_sort *sort, const char *keys, struct err *err)
{
	sort->tie = row_task;
	return view_sort_parse(sort, columns, ARRAY_SIZE(columns), keys, err);
}

static void merge(struct sched_latency_row *to, const struct sched_latency_row *r)
{
	to->nr_tasks++;
	to->ran += r->ran;
	to->delay += r->delay;
	to->nr += r->nr;
	to->nr_holes += r->nr_holes;
	if (r->max <= to->max)
		return;
	to->max = r->max;
	to->max_start = r->max_start;
	to->max_end = r->max_end;
}

/* adds up tasks of one name, and leaves out what neither ran nor waited */
static void fold_rows(struct sched_latency *l, bool by_pid)
{
	struct hidx idx = { 0 };
	size_t nr = 0, kept = 0;

	for (size_t i = 0; i < l->row.nr; i++) {
		struct sched_latency_row r = l->row.v[i];
		const struct sched_task *t = l->sched.task.v[r.task];
		u64 hash = hash_str(t->comm);
		u32 id = ID_NONE;

		r.nr_holes = t->nr_holes;
		if (!l->sched.has_runtime)
			r.ran = r.ran_switches;
		HIDX_FOREACH(&idx, hash, id)
			if (!by_pid && *t->comm && !strcmp(l->sched.task.v[l->row.v[id].task]->comm, t->comm))
				break;
		if (id != HIDX_NONE) {
			merge(&l->row.v[id], &r);
			continue;
		}
		hidx_insert(&idx, hash, nr);
		l->row.v[nr++] = r;
	}
	for (size_t i = 0; i < nr; i++)
		if (l->row.v[i].nr || l->row.v[i].ran)
			l->row.v[kept++] = l->row.v[i];
	l->row.nr = kept;
	hidx_release(&idx);
}

static char *sec_text(struct arena *a, const char *word, u64 ns)
{
	return sched_text(a, "%s%5lu.%06lu s", word, ns / 1000000000, ns / 1000 % 1000000);
}

static void add_texts(struct sched_latency *l, struct sched_latency_row *r, struct arena *a)
{
	const struct sched_task *t = l->sched.task.v[r->task];
	struct strbuf sb = STRBUF_INIT;

	sched_add_name(&sb, t);
	if (r->nr_tasks > 1)
		strbuf_addf(&sb, ":(%u)", r->nr_tasks);
	else if (*t->comm)	/* the name of others is their tid */
		strbuf_addf(&sb, ":%d", t->tid);
	r->name = arena_strdup(a, strbuf_str(&sb));
	strbuf_release(&sb);
	r->text[0] = sched_text(a, "%.3f ms", r->ran / 1e6);
	if (!r->nr) {
		for (u32 i = 1; i < ARRAY_SIZE(r->text); i++)
			r->text[i] = "-";
		return;
	}
	r->text[1] = sched_text(a, "avg:%8.3f ms", (double)row_avg(r) / 1e6);
	r->text[2] = sched_text(a, "max:%8.3f ms", r->max / 1e6);
	r->text[3] = sec_text(a, "max start:", r->max_start);
	r->text[4] = sec_text(a, "max end:", r->max_end);
}

static void add_summary(struct view *v, const struct sched_latency *l)
{
	struct view_summary *b = view_add_summary(v, "summary", "SUMMARY");
	u64 ran = 0, nr = 0;
	struct view_words *w;

	for (size_t i = 0; i < l->row.nr; i++) {
		ran += l->row.v[i].ran;
		nr += l->row.v[i].nr;
	}
	w = view_add_number(b, "runtime-ms", "TOTAL: ", 0);
	w->value = (struct view_value){ .type = VIEW_REAL, .real = ran / 1e6 };
	w->decimals = 3;
	w->after = " ms running, ";
	view_add_number(b, "delays", "", nr)->after = " delays\n";
	sched_add_holes(b, &l->sched);
}

/* ---- histogram ---- */

#define HIST_BUCKETS 24u
struct hist_row {
	u64 from, to, nr;
	const char *range, *bar;
	double share;
};
#undef GET
#define GET(type, name, value) \
	static type name(const void *row) { const struct hist_row *r = row; return value; }
GET(const char *, hist_range, r->range)
GET(const char *, hist_bar, r->bar)
GET(u64, hist_from, r->from)
GET(u64, hist_to, r->to)
GET(u64, hist_nr, r->nr)
GET(double, hist_share, r->share)
static const struct view_field hist_columns[] = {
	{ VIEW_COUNT("range", "Delay", VIEW_TEXT, 22), .forms = VIEW_FORM_TEXT, .text = hist_range },
	TIME("from", "From", hist_from),
	TIME("to", "To", hist_to),
	{ VIEW_COUNT("count", "Count", VIEW_NUMBER, 10), .number = hist_nr },
	{ VIEW_COUNT("share", "Share", VIEW_SHARE, 8), .decimals = 2, .real = hist_share },
	{ VIEW_NAME("graph", "Graph", VIEW_TEXT, 0), .forms = VIEW_FORM_TEXT, .text = hist_bar },
};

/* the bucket of a delay: powers of two of microseconds, or step ns each */
static u32 bucket_of(u64 delay, u64 step)
{
	u64 i = delay < 1000 ? 0 : 64u - __builtin_clzll(delay / 1000);

	return MIN(step ? delay / step : i, (u64)HIST_BUCKETS - 1);
}

static char *range_text(struct arena *a, u64 from, u64 to, bool ms, bool last)
{
	double unit = ms ? 1e6 : 1e3;
	char *upper = last ? sched_text(a, "...") : sched_text(a, "%.*f", ms ? 3 : 0, to / unit);

	return sched_text(a, "%.*f - %s %s", ms ? 3 : 0, from / unit, upper, ms ? "ms" : "us");
}

static void add_histogram(struct view *v, const struct sched_latency *l, const struct sched_latency_opts *o,
			  u32 form)
{
	struct hist_row *row = arena_zalloc(&v->arena, HIST_BUCKETS * sizeof(*row));
	struct view_rows rows = { .field = hist_columns, .nr_fields = ARRAY_SIZE(hist_columns), .form = form,
				  .row = row, .size = sizeof(*row), .limit = UINT64_MAX };
	u64 max = 0, step = 0, most = 0;

	vec_foreach(&l->delays, d)
		max = MAX(max, *d);
	if (o->hist == SCHED_HIST_LINEAR)	/* whole microseconds */
		step = (max / HIST_BUCKETS / 1000 + 1) * 1000;
	vec_foreach(&l->delays, d) {
		u32 i = bucket_of(*d, step);

		rows.nr = MAX(rows.nr, (size_t)i + 1);
		row[i].nr++;
		most = MAX(most, row[i].nr);
	}
	for (u32 i = 0; i < rows.nr; i++) {
		bool last = i + 1 == HIST_BUCKETS;

		row[i].from = step ? i * step : i ? 1000ull << (i - 1) : 0;
		row[i].to = last ? max : step ? (i + 1) * step : 1000ull << i;
		row[i].range = range_text(&v->arena, row[i].from, row[i].to,
					  (step ? max : row[i].to) > 10000000, last && !step);
		row[i].share = 100.0 * row[i].nr / l->delays.nr;
		row[i].bar = sched_text(&v->arena, "%.*s", (int)(row[i].nr * 40 / most),
					"########################################");
	}
	view_add_rows(v, &rows)->name = "histogram";
}

struct view *sched_latency_view(struct sched_latency *l, const struct sched_latency_opts *o, u32 form)
{
	struct view *v = sched_view_new(&l->sched);
	struct view_sort sort = o->sort;
	struct view_rows rows = { .field = columns, .nr_fields = ARRAY_SIZE(columns), .form = form,
				  .size = sizeof(*l->row.v), .limit = UINT64_MAX };

	fold_rows(l, o->by_pid);
	if (!sort.nr)
		sched_latency_sort_parse(&sort, "avg,max,switch,runtime", &(struct err)ERR_INIT);
	view_sort_rows(&sort, l->row.v, l->row.nr, sizeof(*l->row.v));
	vec_foreach(&l->row, r)
		add_texts(l, r, &v->arena);
	rows.row = l->row.v;
	rows.nr = l->row.nr;
	view_add_rows(v, &rows)->name = "latency";
	if (o->hist != SCHED_HIST_NONE)
		add_histogram(v, l, o, form);
	add_summary(v, l);
	return v;
}
