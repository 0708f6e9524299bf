/* Histogram view: the table of buckets, and statistics. */
#include "histogram.h"

#include <stdio.h>
#include "../view/rows.h"

#define BAR_WIDTH 46u

struct bucket_row {
	u64 from, to, nr;
	const char *range, *bar;
	double share;
	bool open;		/* it has no end */
};

#define GET(type, name, value) \
	static type name(const void *row) { const struct bucket_row *r = row; return value; }
GET(const char *, row_range, r->range)
GET(const char *, row_bar, r->bar)
GET(const char *, row_open, r->open ? "no limit" : NULL)
GET(u64, row_from, r->from)
GET(u64, row_to, r->to)
GET(u64, row_nr, r->nr)
GET(double, row_share, r->share)

static const struct view_look ruled = { .kind = VIEW_LOOK_RULED };
#define VALUES .forms = VIEW_FORM_SEPARATED | VIEW_FORM_VALUES
static const struct view_field columns[] = {
	{ VIEW_NAME("range", "   DURATION", VIEW_TEXT, 16), .forms = VIEW_FORM_TEXT, .text = row_range },
	{ VIEW_COUNT("from", "From", VIEW_TIME, 0), VALUES, .number = row_from },
	{ VIEW_COUNT("to", "To", VIEW_TIME, 0), VALUES, .number = row_to,
	  .absent = row_open },
	{ VIEW_COUNT("count", "COUNT", VIEW_NUMBER, 10), .number = row_nr },
	{ VIEW_COUNT("share", "Share", VIEW_SHARE, 0), VALUES, .real = row_share },
	{ VIEW_NAME("graph", "GRAPH", VIEW_TEXT, BAR_WIDTH), .forms = VIEW_FORM_TEXT, .text = row_bar },
};

/* "   512 - 1024 us", then "     1 -    2 ms": bounds that are powers of two are divided by 1024 */
static const char *range_text(const struct ftrace_histogram *h, const struct bucket_row *r, struct arena *a)
{
	static const char *const units[] = { "ns", "us", "ms", "s " };
	u64 unit = h->o->nsec ? 1 : 1000, from = r->from / unit, to = r->to / unit;
	u32 step = h->o->nsec ? 0 : 1;
	char text[96], end[24] = "...";

	for (; !h->o->range && from >= 1024 && step + 1 < ARRAY_SIZE(units); step++) {
		from /= 1024;
		to /= 1024;
	}
	if (!r->open)
		snprintf(end, sizeof(end), "%4llu", (unsigned long long)to);
	snprintf(text, sizeof(text), r->open && !h->o->range ? "%6llu - %-4s %s" : "%6llu - %4s %s",
		 (unsigned long long)from, end, units[step]);
	return arena_strdup(a, text);
}

static void add_table(struct view *v, const struct ftrace_histogram *h, u32 form)
{
	struct bucket_row *row = arena_zalloc(&v->arena, h->nr_buckets * sizeof(*row));
	struct view_rows rows = { .field = columns, .nr_fields = ARRAY_SIZE(columns), .form = form,
				  .row = row, .size = sizeof(*row), .limit = UINT64_MAX, .look = &ruled };
	static const char bar[] = "##############################################";

	_Static_assert(sizeof(bar) - 1 == BAR_WIDTH, "a bar for all durations");
	for (u32 i = 0; i < h->nr_buckets; i++) {
		struct bucket_row r = { .nr = h->bucket[i] };

		if (h->o->hide_empty && form == VIEW_FORM_TEXT && !r.nr)
			continue;
		ftrace_histogram_range(h, i, &r.from, &r.to);
		r.open = r.to == UINT64_MAX;
		r.range = range_text(h, &r, &v->arena);
		r.share = h->count ? 100.0 * r.nr / h->count : 0;
		r.bar = bar + BAR_WIDTH - (h->count ? r.nr * BAR_WIDTH / h->count : 0);
		row[rows.nr++] = r;
	}
	view_add_rows(v, &rows)->name = "histogram";
}

/* text shows units of the histogram in the layout that users know; other formats get nanoseconds */
static void add_statistics(struct view *v, const struct ftrace_histogram *h, u32 form)
{
	const struct { const char *key, *label; u64 number; bool is_count; } row[] = {
		{ "total", "total time", h->total, false },
		{ "avg", "avg time", h->count ? h->total / h->count : 0, false },
		{ "max", "max time", h->max, false },
		{ "min", "min time", h->count ? h->min : 0, false },
		{ "p50", "p50", ftrace_histogram_percentile(h, 50), false },
		{ "p95", "p95", ftrace_histogram_percentile(h, 95), false },
		{ "p99", "p99", ftrace_histogram_percentile(h, 99), false },
		{ "count", "count", h->count, true },
	};
	struct view_summary *b = view_add_summary(v, "statistics", NULL);

	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		bool whole = form != VIEW_FORM_TEXT || row[i].is_count || h->o->nsec;
		u64 number = whole ? row[i].number : row[i].number / 1000;
		char before[96];

		snprintf(before, sizeof(before), "%s%s%12s: %*s", i ? "" : "# statistics  (in ",
			 i ? "" : h->o->nsec ? "nsec)\n" : "usec)\n", row[i].label,
			 20 - snprintf(NULL, 0, "%llu", (unsigned long long)number), "");
		view_add_number(b, row[i].key, arena_strdup(&v->arena, before), number)->value.type =
			row[i].is_count || form == VIEW_FORM_TEXT ? VIEW_NUMBER : VIEW_TIME;
	}
}

struct view *ftrace_histogram_view(const struct ftrace_histogram *h, u64 nr_lost, u32 form)
{
	struct view *v = xcalloc(1, sizeof(*v));

	v->name = "ftrace";
	v->tables = "tables";
	add_table(v, h, form);
	add_statistics(v, h, form);
	if (nr_lost)
		view_add_number(view_add_summary(v, "losses", NULL), "lost-events",
				"Events that the kernel dropped (-m enlarges its buffer): ", nr_lost);
	return v;
}
