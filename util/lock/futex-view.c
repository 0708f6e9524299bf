/* Futex view: tables of waits, of those who held others up, of chains. */
#include "futex-private.h"

#define GET(type, name, value) \
	static type name(const void *row) { const struct futex_row *e = row; return value; }
GET(u64, row_nr, e->times.nr)
GET(u64, row_total, e->times.total)
GET(u64, row_max, e->times.max)
GET(u64, row_min, e->times.min)
GET(u64, row_avg, e->times.nr ? e->times.total / e->times.nr : 0)
GET(u64, row_futex, e->futex)
GET(u64, row_tie, (u64)(u32)e->waiter << 32 | (u32)e->waker)
GET(const char *, row_waiter, e->waiter_name)
GET(const char *, row_waker, e->waker_name)
GET(const char *, row_wait_at, e->wait_name)
GET(const char *, row_wake_at, e->wake_name)

#define TIME(name, title, get) VIEW_COUNT(name, title, VIEW_TIME, 11), .number = get, .format = lock_format_ns
#define LAST(key, title_) \
	.column = { .name = key, .title = title_, .type = VIEW_TEXT, .no_pad = true }
#define PLACES .tables = 1u << FUTEX_BY_CALLER | 1u << FUTEX_BY_LOCK
static const struct view_field all_columns[] = {
	{ VIEW_COUNT("contended", "contended", VIEW_NUMBER, 8), .number = row_nr },
	{ TIME("wait_total", "total wait", row_total) },
	{ TIME("wait_max", "max wait", row_max) },
	{ TIME("wait_min", "min wait", row_min) },
	{ TIME("avg_wait", "avg wait", row_avg) },
	{ VIEW_COUNT("futex", "futex", VIEW_ADDRESS, 14), .tables = 1u << FUTEX_BY_LOCK,
	  .number = row_futex },
	{ VIEW_NAME("waiter", "waiter", VIEW_TEXT, 18), .text = row_waiter },
	{ VIEW_NAME("waker", "woken by", VIEW_TEXT, 18), .text = row_waker },
	{ VIEW_NAME("wait_at", "waited in", VIEW_TEXT, 20), PLACES, .text = row_wait_at },
	{ LAST("wake_at", "woken in"), PLACES, .text = row_wake_at },
};
static const struct lock_fields columns_of_waits = {
	.field = all_columns, .nr_values = 5, .nr_tail = ARRAY_SIZE(all_columns) - 5,
	.by_default = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 4,
};

#define GET_HOLDER(type, name, value) \
	static type name(const void *row) { const struct futex_holder *e = row; return value; }
GET_HOLDER(u64, holder_nr, e->times.nr)
GET_HOLDER(u64, holder_total, e->times.total)
GET_HOLDER(u64, holder_max, e->times.max)
GET_HOLDER(u64, holder_waiters, e->nr_waiters)
GET_HOLDER(u64, holder_tid, e->tid)
GET_HOLDER(const char *, holder_name, e->name)
static const struct view_field holder_fields[] = {
	{ VIEW_COUNT("contended", "contended", VIEW_NUMBER, 8), .number = holder_nr },
	{ TIME("wait_total", "total wait", holder_total) },
	{ TIME("wait_max", "max wait", holder_max) },
	{ VIEW_COUNT("waiters", "waiters", VIEW_NUMBER, 8), .number = holder_waiters },
	{ LAST("thread", "held up by"), .text = holder_name },
};

#define GET_CHAIN(type, name, value) \
	static type name(const void *row) { const struct futex_chain *e = row; return value; }
GET_CHAIN(u64, chain_nr, e->times.nr)
GET_CHAIN(u64, chain_total, e->times.total)
GET_CHAIN(u64, chain_root, e->root)
GET_CHAIN(u64, chain_tie, (u64)(u32)e->tid[0] << 32 | (u32)e->tid[1])
GET_CHAIN(const char *, chain_text, e->text)
static const struct view_field chain_fields[] = {
	{ VIEW_COUNT("contended", "contended", VIEW_NUMBER, 8), .number = chain_nr },
	{ TIME("wait_total", "total wait", chain_total) },
	{ TIME("wait_last", "for last", chain_root) },
	{ LAST("chain", "chain"), .text = chain_text },
};

int futex_sort_parse(struct view_sort *sort, const char *keys, struct err *err)
{
	sort->tie = row_tie;
	return lock_sort_parse(sort, &columns_of_waits, keys, err);
}

/* ---- names ---- */

const char *futex_task_name(struct futex *f, s32 tid)
{
	struct strbuf text = STRBUF_INIT;
	const struct futex_task *t;
	const char *ret;

	if (tid < 0)
		return "unknown";
	t = futex_task(f, tid);
	if (t->comm != ID_NONE)
		strbuf_add_safe(&text, machine_comm_name(f->session->machine, t->comm));
	strbuf_addf(&text, "-%d", tid);
	ret = arena_strdup(&f->arena, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

static const char *place_name(struct futex *f, const struct futex_place *p)
{
	const struct symbols *symbols = f->session->symbols;
	const struct symbol *sym = p->dso == ID_NONE ? NULL : symbols_find(symbols, p->dso, p->addr);
	const struct dso *d = dsos_at(machine_dsos(f->session->machine), p->dso);
	struct strbuf text = STRBUF_INIT;
	const char *ret;

	if (sym) {
		strbuf_add_safe(&text, symbols_show(symbols, p->dso, sym, &f->arena));
		strbuf_addf(&text, "+%#lx", p->addr - sym->start);
	} else if (d) {
		strbuf_add_safe(&text, d->short_name);
		strbuf_addf(&text, "+%#lx", p->addr);
	} else {
		strbuf_addstr(&text, "unknown");
	}
	ret = arena_strdup(&f->arena, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

/* symbols of the programs that the rows name */
static void load_symbols(const struct futex *f, size_t nr)
{
	struct { VEC(u32); } ids = { 0 };

	for (size_t i = 0; i < nr; i++) {
		const u32 dso[] = { f->row.v[i].wait_at.dso, f->row.v[i].wake_at.dso };

		for (u32 k = 0; k < ARRAY_SIZE(dso); k++) {
			bool known = dso[k] == ID_NONE;

			for (size_t n = 0; n < ids.nr && !known; n++)
				known = ids.v[n] == dso[k];
			if (!known)
				vec_push(&ids, dso[k]);
		}
	}
	symbols_load(f->session->symbols, f->session->pool, ids.v, ids.nr);
	vec_release(&ids);
}

/* ---- tables ---- */

static struct view_table *add_table(struct view *v, const char *name, const char *head,
				    const struct view_rows *rows)
{
	struct view_table *t = view_add_rows(v, rows);

	t->name = name;
	if (head)
		vec_push(&t->head, head);
	return t;
}

static void add_waits(struct futex *f, struct view *v, const struct lock_columns *columns,
		      const struct view_sort *sort, u32 form)
{
	static const char *const names[] = { "caller", "thread", "lock" };
	size_t nr = MIN(f->opts->entries, (u64)f->row.nr);

	view_sort_rows(sort, f->row.v, f->row.nr, sizeof(*f->row.v));
	load_symbols(f, nr);
	for (size_t i = 0; i < nr; i++) {
		struct futex_row *r = &f->row.v[i];

		r->waiter_name = r->waiters ? "several" : futex_task_name(f, r->waiter);
		r->waker_name = r->wakers ? "several" : futex_task_name(f, r->waker);
		r->wait_name = r->waits_at ? "several" : place_name(f, &r->wait_at);
		r->wake_name = r->wakes_at ? "several" : place_name(f, &r->wake_at);
	}
	add_table(v, names[f->opts->by], NULL, &(struct view_rows){
			.field = columns->field, .nr_fields = columns->nr, .form = form,
			.table = 1u << f->opts->by, .row = f->row.v, .nr = f->row.nr,
			.size = sizeof(*f->row.v), .limit = nr, .look = &lock_look });
}

static void add_holders(struct futex *f, struct view *v, u32 form)
{
	static const struct view_sort sort = { .key = { &holder_fields[1] }, .nr = 1, .tie = holder_tid };
	size_t nr = MIN(f->opts->entries, (u64)f->holder.nr);

	view_sort_rows(&sort, f->holder.v, f->holder.nr, sizeof(*f->holder.v));
	for (size_t i = 0; i < nr; i++)
		f->holder.v[i].name = futex_task_name(f, f->holder.v[i].tid);
	add_table(v, "holders", "Threads that others waited for", &(struct view_rows){
			.field = holder_fields, .nr_fields = ARRAY_SIZE(holder_fields), .form = form,
			.row = f->holder.v, .nr = f->holder.nr, .size = sizeof(*f->holder.v), .limit = nr,
			.look = &lock_look });
}

static const char *name_chain(struct futex *f, const struct futex_chain *c)
{
	struct strbuf text = STRBUF_INIT;
	const char *ret;

	for (u32 i = 0; i < c->nr; i++)
		strbuf_addf(&text, "%s%s", i ? " -> " : "", futex_task_name(f, c->tid[i]));
	ret = arena_strdup(&f->arena, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

static void add_chains(struct futex *f, struct view *v, u32 form)
{
	static const struct view_sort sort = { .key = { &chain_fields[1] }, .nr = 1, .tie = chain_tie };
	size_t nr = MIN(f->opts->entries, (u64)f->chain.nr);

	view_sort_rows(&sort, f->chain.v, f->chain.nr, sizeof(*f->chain.v));
	for (size_t i = 0; i < nr; i++)
		f->chain.v[i].text = name_chain(f, &f->chain.v[i]);
	add_table(v, "chains", "Chains: each thread waited for the next one, all of them for the last",
		  &(struct view_rows){
			.field = chain_fields, .nr_fields = ARRAY_SIZE(chain_fields), .form = form,
			.row = f->chain.v, .nr = f->chain.nr, .size = sizeof(*f->chain.v), .limit = nr,
			.look = &lock_look });
}

static void add_others(struct view *v, const struct futex *f, u32 form)
{
	struct view_summary *b;

	if (form != VIEW_FORM_VALUES && !f->nr_timeouts && !f->nr_refused)
		return;
	b = view_add_summary(v, "other-calls", NULL);
	if (f->nr_timeouts || form == VIEW_FORM_VALUES)
		view_add_number(b, "timeouts", "Waits that ended by their timeout (not counted): ",
				f->nr_timeouts);
	if (f->nr_refused || form == VIEW_FORM_VALUES)
		view_add_number(b, "refused", "Calls that did not wait, because the value had changed: ",
				f->nr_refused);
}

struct view *futex_view(struct futex *f, u32 form, struct err *err)
{
	struct lock_columns *columns = arena_zalloc(&f->arena, sizeof(*columns));
	struct view_sort sort = f->opts->sort;
	struct view *v;

	if (!sort.nr)
		futex_sort_parse(&sort, "wait_total", NULL);
	if (lock_columns_choose(columns, &columns_of_waits, f->opts->fields, form == VIEW_FORM_VALUES, &sort,
				err))
		return NULL;
	vec_foreach(&f->task, t)
		f->losses.nr_unfinished += (*t)->call == FUTEX_CALL_WAIT;
	v = lock_view_new(f->session);
	add_waits(f, v, columns, &sort, form);
	add_holders(f, v, form);
	add_chains(f, v, form);
	add_others(v, f, form);
	lock_add_losses(v, &f->losses, f->session, form);
	return v;
}
