/* Contention view: the columns of its tables. */
#include "contention.h"

#define GET(type, name, value) \
	static type name(const void *row) { const struct contention_row *e = row; return value; }
GET(u64, row_key, e->key)
GET(u64, row_nr, e->times.nr)
GET(u64, row_total, e->times.total)
GET(u64, row_max, e->times.max)
GET(u64, row_min, e->times.min)
GET(u64, row_avg, e->times.nr ? e->times.total / e->times.nr : 0)
GET(const char *, row_type, e->type)
GET(const char *, row_name, e->name)
GET(const char *, row_address, e->address)
GET(const char *, row_stack, e->stack)
/* owners that are not known have the number -1 */
GET(const char *, row_no_owner, e->key == UINT64_MAX ? "the lock does not tell its owner" : NULL)

#define TIME(name, title, get) VIEW_COUNT(name, title, VIEW_TIME, 11), .number = get, .format = lock_format_ns
#define CALLER .tables = 1u << CONTENTION_BY_CALLER
#define THREAD .tables = 1u << CONTENTION_BY_THREAD
#define LOCK .tables = 1u << CONTENTION_BY_LOCK
#define OWNER .tables = 1u << CONTENTION_BY_OWNER
#define CGROUP .tables = 1u << CONTENTION_BY_CGROUP
#define LAST(key, title_) \
	.column = { .name = key, .title = title_, .type = VIEW_TEXT, .no_pad = true }
#define STACKS (1u << 8)	/* the kind of table of the column with stacks */

static const struct view_field all_columns[] = {
	{ VIEW_COUNT("contended", "contended", VIEW_NUMBER, 8), .number = row_nr },
	{ TIME("wait_total", "total wait", row_total) },
	{ TIME("wait_max", "max wait", row_max) },
	{ TIME("wait_min", "min wait", row_min) },
	{ TIME("avg_wait", "avg wait", row_avg) },
	{ VIEW_COUNT("type", "type", VIEW_TEXT, 11), CALLER, .text = row_type },
	{ LAST("caller", "caller"), CALLER, .text = row_name },
	{ VIEW_COUNT("pid", "pid", VIEW_NUMBER, 11), THREAD, .number = row_key },
	{ LAST("comm", "comm"), THREAD, .text = row_name },
	{ VIEW_COUNT("pid", "pid", VIEW_NUMBER, 11), OWNER, .number = row_key, .absent = row_no_owner },
	{ LAST("owner", "owner"), OWNER, .text = row_name },
	{ LAST("cgroup", "cgroup"), CGROUP, .text = row_name },
	{ VIEW_COUNT("address", "address", VIEW_TEXT, 17), LOCK,
	  .forms = VIEW_FORM_TEXT | VIEW_FORM_SEPARATED, .text = row_address },
	{ VIEW_COUNT("address", "address", VIEW_ADDRESS, 17), LOCK, .forms = VIEW_FORM_VALUES,
	  .number = row_key },
	{ LAST("symbol", "symbol"), LOCK, .text = row_name },
	{ VIEW_COUNT("type", "type", VIEW_TEXT, 11), LOCK, .forms = VIEW_FORM_VALUES | VIEW_FORM_SEPARATED,
	  .text = row_type },
	{ LAST("stacktrace", "stacktrace"), .tables = STACKS, .text = row_stack },
};

static const struct lock_fields columns_of_tables = {
	.field = all_columns, .nr_values = 5, .nr_tail = ARRAY_SIZE(all_columns) - 5,
	.by_default = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 4,
};

int contention_sort_parse(struct view_sort *sort, const char *keys, struct err *err)
{
	sort->tie = row_key;
	return lock_sort_parse(sort, &columns_of_tables, keys, err);
}

static const char *thread_name(struct contention *c, const struct contention_row *row, struct strbuf *text)
{
	const struct machine *m = c->session->machine;

	if (row->task)
		strbuf_addstr(text, row->task);
	else if (row->key == UINT64_MAX)
		strbuf_addstr(text, "Unknown");
	else if (row->comm != ID_NONE)
		strbuf_add_safe(text, machine_comm_name(m, row->comm));
	else if (!row->key)
		strbuf_addstr(text, "swapper");
	else
		strbuf_addf(text, ":%lu", row->key);
	return strbuf_str(text);
}

static const char *cgroup_name(struct contention *c, const struct contention_row *row, struct strbuf *text)
{
	const char *name = machine_cgroup(c->session->machine, row->key);

	if (name)
		strbuf_add_safe(text, name);
	else
		strbuf_addf(text, "cgroup:%lu", row->key);
	return strbuf_str(text);
}

static const char *lock_name(struct contention *c, const struct contention_row *row, u32 form,
			     struct strbuf *text)
{
	lock_names_add(&c->names, row->key, text);
	if (form == VIEW_FORM_TEXT)
		strbuf_addf(text, "%s (%s)", text->len ? "" : " ", lock_type_name(row->flags, true));
	return strbuf_str(text);
}

static void name_row(struct contention *c, struct contention_row *row, u32 form, struct strbuf *text)
{
	enum contention_by by = c->opts->by;
	struct arena *arena = &c->arena;

	strbuf_reset(text);
	row->type = lock_type_name(row->flags, by == CONTENTION_BY_LOCK);
	row->stack = row->address = "";
	if (by == CONTENTION_BY_THREAD || by == CONTENTION_BY_OWNER) {
		row->name = arena_strdup(arena, thread_name(c, row, text));
		return;
	}
	if (by == CONTENTION_BY_CGROUP) {
		row->name = arena_strdup(arena, cgroup_name(c, row, text));
		return;
	}
	if (by == CONTENTION_BY_LOCK) {
		row->name = arena_strdup(arena, lock_name(c, row, form, text));
		strbuf_reset(text);
		strbuf_add_hex(text, row->key, 16, '0');
		row->address = arena_strdup(arena, strbuf_str(text));
		return;
	}
	lock_chains_add_caller(&c->chains, (u32)row->key, text);
	row->name = arena_strdup(arena, strbuf_str(text));
	if (!c->opts->stacks)
		return;
	strbuf_reset(text);
	lock_chains_add_frames(&c->chains, (u32)row->key, text);
	row->stack = arena_strdup(arena, strbuf_str(text));
}

static const char *const table_names[] = { "caller", "thread", "lock", "owner", "cgroup" };

static void add_table(struct contention *c, struct view *v, const struct view_sort *sort,
		      const struct lock_columns *columns, u32 form)
{
	bool stacks = c->opts->stacks && c->opts->by == CONTENTION_BY_CALLER;
	struct view_rows rows = {
		.field = columns->field, .nr_fields = columns->nr, .form = form, .look = &lock_look,
		.table = 1u << c->opts->by | (stacks ? STACKS : 0), .row = c->row.v, .nr = c->row.nr,
		.size = sizeof(*c->row.v), .limit = c->opts->entries,
	};
	struct strbuf text = STRBUF_INIT;

	view_sort_rows(sort, c->row.v, c->row.nr, sizeof(*c->row.v));
	for (size_t i = 0; i < MIN(rows.limit, (u64)c->row.nr); i++)
		name_row(c, &c->row.v[i], form, &text);
	strbuf_release(&text);
	view_add_rows(v, &rows)->name = table_names[c->opts->by];
}

struct view *contention_view(struct contention *c, u32 form, struct err *err)
{
	struct lock_columns *columns = arena_zalloc(&c->arena, sizeof(*columns));
	struct view_sort sort = c->opts->sort;
	struct view *v;

	if (!sort.nr)
		contention_sort_parse(&sort, "wait_total", NULL);
	if (lock_columns_choose(columns, &columns_of_tables, c->opts->fields, form == VIEW_FORM_VALUES, &sort,
				err))
		return NULL;
	vec_foreach(&c->wait, w)
		c->losses.nr_unfinished += w->open && w->wanted;
	v = lock_view_new(c->session);
	add_table(c, v, &sort, columns, form);
	lock_add_losses(v, &c->losses, c->session, form);
	return v;
}
