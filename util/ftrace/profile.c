/* Profile: sums by function, and their table. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

static struct ftrace_function *row_of(struct ftrace_profile *p, const char *name, u32 len)
{
	u64 hash = hash_bytes(name, len);
	u32 id;

	HIDX_FOREACH(&p->row.idx, hash, id)
		if (!strncmp(p->row.v[id].name, name, len) && !p->row.v[id].name[len])
			return &p->row.v[id];
	if (p->row.nr == FTRACE_PROFILE_MAX)
		return NULL;
	hidx_insert(&p->row.idx, hash, p->row.nr);
	vec_push(&p->row, (struct ftrace_function){ .name = arena_strndup(&p->names, name, len) });
	return &p->row.v[p->row.nr - 1];
}

void ftrace_profile_add(struct ftrace_profile *p, const struct graph_line *line)
{
	struct ftrace_function *f;

	if (!line->timed || (line->kind != GRAPH_LEAF && line->kind != GRAPH_RETURN))
		return;
	f = line->name ? row_of(p, line->name, line->name_len) : NULL;
	if (!f) {
		p->nr_unnamed++;
		return;
	}
	f->total += line->duration;
	f->max = MAX(f->max, line->duration);
	f->count++;
}

void ftrace_profile_release(struct ftrace_profile *p)
{
	vec_release(&p->row);
	hidx_release(&p->row.idx);
	arena_release(&p->names);
}

/* ---- the table ---- */

#define GET(name, value) \
	static u64 name(const void *row) { const struct ftrace_function *r = row; return value; }
GET(row_total, r->total)
GET(row_max, r->max)
GET(row_count, r->count)
GET(row_rank, r->rank)
GET(row_avg, r->count ? r->total / r->count : 0)

static const char *row_name(const void *row)
{
	const struct ftrace_function *r = row;

	return r->name;
}

static void add_usec(u64 ns, struct strbuf *out)
{
	strbuf_addf(out, "%llu.%03llu", (unsigned long long)(ns / 1000), (unsigned long long)(ns % 1000));
}

#define TIME(key, title, width, get) \
	{ VIEW_COUNT(key, title " (us)", VIEW_TIME, width), .forms = VIEW_FORM_TEXT, .number = get, \
	  .format = add_usec }, \
	{ VIEW_COUNT(key, title, VIEW_TIME, width), .number = get, \
	  .forms = VIEW_FORM_SEPARATED | VIEW_FORM_VALUES }
static const struct view_field columns[] = {
	TIME("total", "Total", 12, row_total),
	TIME("avg", "Avg", 12, row_avg),
	TIME("max", "Max", 12, row_max),
	{ VIEW_COUNT("count", "Count", VIEW_NUMBER, 10), .number = row_count },
	{ .column = { .name = "name", .title = "Function", .type = VIEW_TEXT, .no_pad = true },
	  .number = row_rank, .text = row_name },
};

int ftrace_profile_sort_parse(struct view_sort *sort, const char *keys, struct err *err)
{
	return view_sort_parse(sort, columns, ARRAY_SIZE(columns), keys, err);
}

static u64 by_name(const void *row)
{
	return UINT64_MAX - row_rank(row);
}

static int compare_names(const void *a, const void *b)
{
	const struct ftrace_function *x = a, *y = b;

	return strcmp(x->name, y->name);
}

struct view *ftrace_profile_view(struct ftrace_profile *p, const struct view_sort *wanted, u64 nr_lost,
				 u32 form)
{
	struct view *v = xcalloc(1, sizeof(*v));
	struct view_sort sort = *wanted;
	struct view_rows rows = { .field = columns, .nr_fields = ARRAY_SIZE(columns), .form = form,
				  .size = sizeof(*p->row.v), .nr = p->row.nr, .limit = UINT64_MAX };

	v->name = "ftrace";
	v->tables = "tables";
	if (p->row.nr)
		qsort(p->row.v, p->row.nr, sizeof(*p->row.v), compare_names);
	for (size_t i = 0; i < p->row.nr; i++)
		p->row.v[i].rank = UINT64_MAX - i;
	if (!sort.nr)
		ftrace_profile_sort_parse(&sort, "total", &(struct err)ERR_INIT);
	sort.tie = by_name;
	view_sort_rows(&sort, p->row.v, p->row.nr, sizeof(*p->row.v));
	rows.row = p->row.v;
	view_add_rows(v, &rows)->name = "functions";
	if (nr_lost)
		view_add_number(view_add_summary(v, "losses", NULL), "lost-events",
				"Events that the kernel dropped (-m enlarges its buffer): ", nr_lost);
	if (p->nr_unnamed)
		view_add_number(view_add_summary(v, "unnamed", NULL), "functions",
				"Calls of functions whose names were not told: ", p->nr_unnamed);
	return v;
}
