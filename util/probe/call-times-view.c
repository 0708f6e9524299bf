/* Call-times view: tables of functions, durations and callers. */
#include "call-times.h"

#include <stdlib.h>
#include <string.h>
#include "../base/units.h"
#include "../view/rows.h"

/* columns that tell functions apart are shown where there are several */
enum { TABLE_ONE, TABLE_SEVERAL };

static const struct view_look plain = { .kind = VIEW_LOOK_PLAIN };

struct call_times_row {
	const char *name;
	const struct call_times_function *f;
	u64 p50, p95, p99;
};

struct duration_row {
	const char *name, *bar;
	u64 from, to, nr;
};

struct caller_row {
	const char *name, *caller;
	u32 function;
	double share;
	struct call_times_sum sum;
};

#define GET(kind, type, name, value) \
	static type name(const void *row) { const struct kind *e = row; return value; }
GET(call_times_row, const char *, function_name, e->name)
GET(call_times_row, u64, function_calls, e->f->sum.nr)
GET(call_times_row, u64, function_total, e->f->sum.total)
GET(call_times_row, u64, function_min, e->f->sum.min)
GET(call_times_row, u64, function_avg, e->f->sum.nr ? e->f->sum.total / e->f->sum.nr : 0)
GET(call_times_row, u64, function_p50, e->p50)
GET(call_times_row, u64, function_p95, e->p95)
GET(call_times_row, u64, function_p99, e->p99)
GET(call_times_row, u64, function_max, e->f->sum.max)
GET(call_times_row, u64, function_depth, e->f->max_depth)
GET(duration_row, const char *, duration_name, e->name)
GET(duration_row, const char *, duration_bar, e->bar)
GET(duration_row, u64, duration_from, e->from)
GET(duration_row, u64, duration_to, e->to)
GET(duration_row, u64, duration_nr, e->nr)
GET(caller_row, const char *, caller_name, e->name)
GET(caller_row, const char *, caller_text, e->caller)
GET(caller_row, double, caller_share, e->share)
GET(caller_row, u64, caller_calls, e->sum.nr)
GET(caller_row, u64, caller_total, e->sum.total)
GET(caller_row, u64, caller_min, e->sum.min)
GET(caller_row, u64, caller_avg, e->sum.total / e->sum.nr)
GET(caller_row, u64, caller_max, e->sum.max)

static void format_us(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%.3f us", ns / 1e3);
}

static void format_ms(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%.3f ms", ns / 1e6);
}

#define US(key, title, get) VIEW_COUNT(key, title, VIEW_TIME, 13), .number = get, .format = format_us
#define MS(key, title, get) VIEW_COUNT(key, title, VIEW_TIME, 13), .number = get, .format = format_ms
#define SEVERAL .tables = 1u << TABLE_SEVERAL
static const struct view_field function_fields[] = {
	{ VIEW_NAME("function", "Function", VIEW_TEXT, 16), .text = function_name },
	{ VIEW_COUNT("calls", "Calls", VIEW_NUMBER, 9), .number = function_calls },
	{ MS("total", "Total", function_total) },
	{ US("min", "Min", function_min) },
	{ US("avg", "Avg", function_avg) },
	{ US("p50", "p50", function_p50) },
	{ US("p95", "p95", function_p95) },
	{ US("p99", "p99", function_p99) },
	{ US("max", "Max", function_max) },
	{ VIEW_COUNT("depth", "Depth", VIEW_NUMBER, 6), .forms = VIEW_FORM_VALUES, .number = function_depth },
};
static const struct view_field duration_fields[] = {
	{ VIEW_NAME("function", "Function", VIEW_TEXT, 16), SEVERAL, .text = duration_name },
	{ US("from", "From", duration_from) },
	{ US("to", "To", duration_to) },
	{ VIEW_COUNT("calls", "Calls", VIEW_NUMBER, 9), .number = duration_nr },
	{ .column = { .name = "bar", .title = "Distribution", .type = VIEW_TEXT, .no_pad = true },
	  .forms = VIEW_FORM_TEXT, .text = duration_bar },
};
static const struct view_field caller_fields[] = {
	{ VIEW_NAME("function", "Function", VIEW_TEXT, 16), SEVERAL, .text = caller_name },
	{ VIEW_NAME("caller", "Caller", VIEW_TEXT, 24), .text = caller_text },
	{ VIEW_COUNT("share", "Time", VIEW_SHARE, 7), .decimals = 2, .real = caller_share },
	{ VIEW_COUNT("calls", "Calls", VIEW_NUMBER, 9), .number = caller_calls },
	{ MS("total", "Total", caller_total) },
	{ US("min", "Min", caller_min) },
	{ US("avg", "Avg", caller_avg) },
	{ US("max", "Max", caller_max) },
};

static void add_table(const struct call_times *l, struct view *v, const char *name, struct view_rows rows)
{
	rows.table = 1u << (l->function.nr > 1 ? TABLE_SEVERAL : TABLE_ONE);
	rows.limit = UINT64_MAX;
	rows.look = &plain;
	view_add_rows(v, &rows)->name = name;
}

static void add_functions(const struct call_times *l, struct view *v, u32 form)
{
	struct call_times_row *row = xcalloc(l->function.nr + 1, sizeof(*row));

	vec_push(&v->owned, row);
	for (size_t i = 0; i < l->function.nr; i++) {
		const struct call_times_function *f = &l->function.v[i];

		row[i] = (struct call_times_row){ f->name, f, call_times_percentile(f, 50),
						call_times_percentile(f, 95), call_times_percentile(f, 99) };
	}
	add_table(l, v, "functions", (struct view_rows){ .field = function_fields, .form = form,
		.nr_fields = ARRAY_SIZE(function_fields), .row = row, .nr = l->function.nr,
		.size = sizeof(*row) });
}

static void add_durations(const struct call_times *l, struct view *v, u32 form)
{
	struct duration_row *row = xcalloc(l->function.nr * HISTOGRAM_POWERS + 1, sizeof(*row));
	struct strbuf bar = STRBUF_INIT;
	size_t nr = 0;

	vec_push(&v->owned, row);
	vec_foreach(&l->function, f) {
		struct histogram_powers p;

		histogram_by_powers(&f->histogram, &p);
		for (u32 i = p.first; i < p.end; i++) {
			strbuf_reset(&bar);
			histogram_bar(&p, i, &bar);
			row[nr++] = (struct duration_row){
				.name = f->name, .bar = arena_strdup(&v->arena, strbuf_str(&bar)),
				.from = histogram_start(i * HISTOGRAM_STEPS),
				.to = histogram_start((i + 1) * HISTOGRAM_STEPS), .nr = p.count[i] };
		}
	}
	strbuf_release(&bar);
	add_table(l, v, "durations", (struct view_rows){ .field = duration_fields, .form = form,
		.nr_fields = ARRAY_SIZE(duration_fields), .row = row, .nr = nr, .size = sizeof(*row) });
}

/* ---- callers ---- */

/* "main (a.out)", or an address */
static const char *caller_name_of(const struct call_times *l, const struct call_times_site *site,
				  struct view *v)
{
	struct arena scratch = { 0 };
	struct strbuf text = STRBUF_INIT;
	const struct session *s = l->session;
	const struct symbol *sym;
	const char *name;

	if (!s || site->dso == ID_NONE) {
		strbuf_addf(&text, "0x%llx", (unsigned long long)site->addr);
	} else {
		sym = symbols_find(s->symbols, site->dso, site->addr);
		if (sym)
			strbuf_add_safe(&text, symbols_show(s->symbols, site->dso, sym, &scratch));
		else
			strbuf_addf(&text, "0x%llx", (unsigned long long)site->addr);
		strbuf_addstr(&text, " (");
		strbuf_add_safe(&text, dsos_at(machine_dsos(s->machine), site->dso)->short_name);
		strbuf_addstr(&text, ")");
	}
	name = arena_strdup(&v->arena, strbuf_str(&text));
	strbuf_release(&text);
	arena_release(&scratch);
	return name;
}

static int by_name(const void *a, const void *b)
{
	const struct caller_row *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return strcmp(x->caller, y->caller);
}

static int by_total(const void *a, const void *b)
{
	const struct caller_row *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->sum.total != y->sum.total)
		return x->sum.total < y->sum.total ? 1 : -1;
	return strcmp(x->caller, y->caller);
}

static void merge(struct call_times_sum *into, const struct call_times_sum *s)
{
	into->nr += s->nr;
	into->total += s->total;
	into->min = MIN(into->min, s->min);
	into->max = MAX(into->max, s->max);
}

/* rows of equal names become one; returns how many are left */
static size_t merge_rows(struct caller_row *row, size_t nr)
{
	size_t kept = 0;

	qsort(row, nr, sizeof(*row), by_name);
	for (size_t i = 0; i < nr; i++)
		if (kept && !by_name(&row[kept - 1], &row[i]))
			merge(&row[kept - 1].sum, &row[i].sum);
		else
			row[kept++] = row[i];
	qsort(row, kept, sizeof(*row), by_total);
	return kept;
}

static void load_symbols(const struct call_times *l)
{
	struct { VEC(u32); } dsos = { 0 };

	vec_foreach(&l->site, s)
		if (s->dso != ID_NONE)
			vec_push(&dsos, s->dso);
	if (l->session && dsos.nr)
		symbols_load(l->session->symbols, l->session->pool, dsos.v, dsos.nr);
	vec_release(&dsos);
}

static void add_callers(const struct call_times *l, struct view *v, u32 form)
{
	struct caller_row *row = xcalloc(l->site.nr + 1, sizeof(*row));
	size_t nr = 0;

	vec_push(&v->owned, row);
	load_symbols(l);
	vec_foreach(&l->site, s)
		row[nr++] = (struct caller_row){ .name = l->function.v[s->function].name,
						 .caller = caller_name_of(l, s, v),
						 .function = s->function, .sum = s->sum };
	nr = merge_rows(row, nr);
	for (size_t i = 0; i < nr; i++) {
		u64 total = l->function.v[row[i].function].sum.total;

		row[i].share = total ? 100.0 * row[i].sum.total / total : 0;
	}
	add_table(l, v, "callers", (struct view_rows){ .field = caller_fields, .form = form,
		.nr_fields = ARRAY_SIZE(caller_fields), .row = row, .nr = nr, .size = sizeof(*row) });
}

/* ---- what is missing, and what it costs ---- */

static void add_note(struct view_summary *b, const char *key, const char *before, u64 number,
		     const char *after, u32 form)
{
	if (number || form == VIEW_FORM_VALUES)
		view_add_number(b, key, before, number)->after = after;
}

static void add_notes(const struct call_times *l, struct view *v, const struct call_times_cost *cost,
		      u64 lost, u32 form)
{
	struct view_summary *b = view_add_summary(v, "summary", NULL);
	u64 left = 0, open = 0, no_entry = 0, entries = 0, depth = 0;

	for (size_t i = 0; i < l->function.nr; i++) {
		const struct call_times_function *f = &l->function.v[i];

		entries += f->nr_entries;
		left += f->nr_left;
		no_entry += f->nr_no_entry;
		depth = MAX(depth, (u64)f->max_depth);
		open += call_times_open_calls(l, i);
	}
	add_note(b, "entries", "Calls that began: ", entries, "\n", form);
	add_note(b, "depth", "Deepest recursion: ", depth > 1 ? depth : 0,
		 " levels (the time of inner calls is also part of the outer ones)\n", form);
	add_note(b, "left", "Calls left without a return: ", left,
		 " (longjmp, exception, or deeper than 64 levels; not counted above)\n", form);
	add_note(b, "not-returned", "Calls that had not returned at the end: ", open,
		 " (not counted above)\n", form);
	add_note(b, "no-entry", "Returns whose entry is not known: ", no_entry, " (not counted above)\n",
		 form);
	add_note(b, "lost-events", "Events lost: ", lost, " (the numbers above are too small)\n", form);
	if (cost->ns_per_call)
		view_add_number(b, "cost", "Cost of the probes: about ", cost->ns_per_call)->after =
			" ns per call, measured at an empty function (a part of it is inside the "
			"times above)\n";
}

struct view *call_times_view(struct call_times *l, const struct call_times_cost *cost, u64 lost, u32 form)
{
	struct view *v = xcalloc(1, sizeof(*v));

	v->name = "probe-latency";
	v->tables = "tables";
	add_functions(l, v, form);
	if (l->site.nr || form == VIEW_FORM_VALUES) {
		add_durations(l, v, form);
		add_callers(l, v, form);
	}
	add_notes(l, v, cost, lost, form);
	return v;
}
