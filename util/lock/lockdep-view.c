/* Lockdep view: the tables of lock report and lock info. */
#include "lockdep.h"

enum { REPORT = 1u << 0, THREADS = 1u << 1, LOCKS = 1u << 2 };

#define GET(type, name, value) \
	static type name(const void *row) { const struct lockdep_row *e = row; return value; }
GET(u64, row_key, e->key)
GET(u64, row_acquired, e->nr_acquired)
GET(u64, row_contended, e->times.nr)
GET(u64, row_avg, e->times.nr ? e->times.total / e->times.nr : 0)
GET(u64, row_total, e->times.total)
GET(u64, row_max, e->times.max)
GET(u64, row_min, e->times.min)
GET(const char *, row_text, e->text)

#define TIME(name, title, get) VIEW_COUNT(name, title, VIEW_TIME, 11), .number = get, .format = lock_format_ns
static const struct view_field all_columns[] = {
	{ VIEW_COUNT("name", "Name", VIEW_TEXT, 18), .text = row_text },
	{ VIEW_COUNT("acquired", "acquired", VIEW_NUMBER, 9), .number = row_acquired },
	{ VIEW_COUNT("contended", "contended", VIEW_NUMBER, 9), .number = row_contended },
	{ TIME("avg_wait", "avg wait", row_avg) },
	{ TIME("wait_total", "total wait", row_total) },
	{ TIME("wait_max", "max wait", row_max) },
	{ TIME("wait_min", "min wait", row_min) },
};
static const struct lock_fields columns_of_report = {
	.field = all_columns, .nr_head = 1, .nr_values = ARRAY_SIZE(all_columns) - 1,
	.by_default = UINT32_MAX,
};

#define LAST(key, title_) \
	.column = { .name = key, .title = title_, .type = VIEW_TEXT, .no_pad = true }
static const struct view_field info_fields[] = {
	{ VIEW_COUNT("tid", "Thread ID", VIEW_NUMBER, 9), .tables = THREADS, .number = row_key },
	{ LAST("comm", "comm"), .tables = THREADS, .text = row_text },
	{ VIEW_COUNT("address", "Address of instance", VIEW_ADDRESS, 19), .tables = LOCKS,
	  .number = row_key },
	{ LAST("class", "name of class"), .tables = LOCKS, .text = row_text },
};

int lockdep_sort_parse(struct view_sort *sort, const char *keys, struct err *err)
{
	sort->tie = row_key;
	return lock_sort_parse(sort, &columns_of_report, keys, err);
}

static const char *thread_text(struct lockdep *l, const struct lockdep_row *row, struct strbuf *text)
{
	if (row->comm != ID_NONE)
		strbuf_add_safe(text, machine_comm_name(l->session->machine, row->comm));
	else if (!row->key)
		strbuf_addstr(text, "swapper");
	else
		strbuf_addf(text, ":%lu", row->key);
	return strbuf_str(text);
}

/* the class of a lock; without one, as contention events are, the variable or the address */
static const char *lock_text(struct lockdep *l, const struct lockdep_row *row, const struct lock_names *names,
			     struct strbuf *text)
{
	if (row->name)
		strbuf_add_safe(text, strtab_get(&l->names, row->name));
	else if (names)
		lock_names_add(names, row->key, text);
	if (!text->len && names)
		strbuf_addf(text, "%#lx", row->key);
	return strbuf_str(text);
}

static void add_table(struct lockdep *l, struct view *v, struct lockdep_rows *rows, struct view_rows *table,
		      const struct view_sort *sort, const struct lock_names *names)
{
	bool threads = table->table == THREADS || (table->table == REPORT && l->opts->threads);
	struct strbuf text = STRBUF_INIT;

	view_sort_rows(sort, rows->v, rows->nr, sizeof(*rows->v));
	for (size_t i = 0; i < MIN(table->limit, (u64)rows->nr); i++) {
		struct lockdep_row *row = &rows->v[i];

		strbuf_reset(&text);
		row->text = arena_strdup(&l->arena, threads ? thread_text(l, row, &text) :
							      lock_text(l, row, names, &text));
	}
	strbuf_release(&text);
	table->row = rows->v;
	table->nr = rows->nr;
	table->size = sizeof(*rows->v);
	view_add_rows(v, table);
}

struct view *lockdep_report(struct lockdep *l, u32 form, struct err *err)
{
	struct lock_columns *columns = arena_zalloc(&l->arena, sizeof(*columns));
	struct view_sort sort = l->opts->sort;
	struct lock_names names;
	struct view *v;

	if (!sort.nr)
		lockdep_sort_parse(&sort, "acquired", NULL);
	if (lock_columns_choose(columns, &columns_of_report, l->opts->fields, form == VIEW_FORM_VALUES, &sort,
				err))
		return NULL;
	vec_foreach(&l->use, u)
		l->losses.nr_unfinished += u->state == LOCKDEP_WAITING;
	v = lock_view_new(l->session);
	if (!l->has_acquire)
		kernel_names_load(l->session);
	lock_names_init(&names, l->session);
	add_table(l, v, &l->row, &(struct view_rows){
			.field = columns->field, .nr_fields = columns->nr, .form = form, .table = REPORT,
			.limit = l->opts->entries, .look = &lock_look }, &sort, &names);
	lock_names_release(&names);
	v->table.v[0]->name = l->opts->threads ? "thread" : l->opts->combine ? "class" : "lock";
	lock_add_losses(v, &l->losses, l->session, form);
	return v;
}

/* sorts by numbers, smallest first */
struct view *lockdep_info(struct lockdep *l)
{
	static const struct view_sort by_key = { .tie = row_key };
	bool both = !l->opts->show_threads && !l->opts->show_locks;
	struct view_rows table = { .field = info_fields, .nr_fields = ARRAY_SIZE(info_fields),
				   .limit = UINT64_MAX, .look = &lock_look };
	struct view *v = lock_view_new(l->session);

	if (both || l->opts->show_threads) {
		table.table = THREADS;
		add_table(l, v, &l->thread, &table, &by_key, NULL);
		v->table.v[v->table.nr - 1]->name = "threads";
	}
	if (both || l->opts->show_locks) {
		table.table = LOCKS;
		add_table(l, v, &l->lock, &table, &by_key, NULL);
		v->table.v[v->table.nr - 1]->name = "locks";
	}
	return v;
}
