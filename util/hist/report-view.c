/* Report view: entries to tables of cells. */
#include "report-view.h"

#include <stdlib.h>
#include "chain-tree.h"

struct viewer {
	struct hist *h;
	const struct report_view_opts *o;
	struct view *v;
	struct field_ctx ctx;
	bool chains;
};

static const char *keep_text(struct viewer *w, struct strbuf *sb)
{
	const char *s = arena_strdup(&w->v->arena, strbuf_str(sb));

	strbuf_reset(sb);
	return s;
}

/* 12345 as "12K": whole thousands, as the header has always shown them */
static void add_rounded(struct strbuf *sb, u64 n)
{
	static const char units[] = " KMGT";
	int u = 0;

	for (; n >= 1000 && units[u + 1]; u++)
		n /= 1000;
	strbuf_add_u64(sb, n, 0);
	if (u)
		strbuf_addch(sb, units[u]);
}

static void add_head(struct viewer *w, struct view_table *t, const struct event *ev, const struct stat_sums *total)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(&sb, "Samples: ");
	add_rounded(&sb, total->nr);
	strbuf_addstr(&sb, total->nr < 1000 ? "  of event '" : " of event '");
	strbuf_add_safe(&sb, ev->name);
	strbuf_addch(&sb, '\'');
	vec_push(&t->head, keep_text(w, &sb));
	strbuf_addf(&sb, "Event count (approx.): %lu", total->period);
	vec_push(&t->head, keep_text(w, &sb));
	strbuf_release(&sb);
}

struct table_ctx {
	struct field_ctx fields;
	struct stat_sums total;
	const struct hist *h;
	const struct sort_order *order;
	u32 key_of[SORT_MAX_COLUMNS];	/* column -> position in hist_entry.key */
	const struct hist_entry **row;
};

static void report_cell(const struct view_table *t, size_t row, u32 column, struct strbuf *out)
{
	const struct table_ctx *c = t->ctx;
	const struct field *f = c->order->column[column];
	const struct hist_entry *e = c->row[row];

	if (f->kind == FIELD_STAT)
		f->format_stat(&c->fields, &e->sums, out);
	else
		f->format(&c->fields, hist_entry_key(c->h, e, c->key_of[column]), out);
}

static bool above_limit(const struct viewer *w, const struct hist_entry *e, u64 total)
{
	u64 part = w->h->opts.children ? e->sums.period_children : e->sums.period;

	if (!total)
		return e->sums.nr > 0;
	return 100.0 * part / total >= w->o->percent_limit;
}

static bool matches_filter(const struct viewer *w, const struct hist_entry *e)
{
	for (u32 i = 0; w->o->symbol_filter && i < w->h->opts.nr_keys; i++) {
		struct strbuf sb = STRBUF_INIT;
		bool hit;

		if (strcmp(w->h->opts.key[i]->name, "symbol"))
			continue;
		w->h->opts.key[i]->format(&w->ctx, hist_entry_key(w->h, e, i), &sb);
		hit = strstr(strbuf_str(&sb), w->o->symbol_filter) != NULL;
		strbuf_release(&sb);
		return hit;
	}
	return true;
}

static void add_columns(struct viewer *w, struct view_table *t, struct table_ctx *c)
{
	const struct sort_order *order = w->o->order;

	for (u32 i = 0; i < order->nr_columns; i++) {
		const struct field *f = order->column[i];
		const char *title = f->title;

		if (!strcmp(f->name, "overhead") && i && !strcmp(order->column[0]->name, "overhead_children"))
			title = "Self";
		for (u32 k = 0; k < w->h->opts.nr_keys; k++)
			if (w->h->opts.key[k] == f)
				c->key_of[i] = k;
		vec_push(&t->column, (struct view_column){ .name = f->name, .title = title, .right = f->right,
				.no_pad = f->no_pad, .width = MAX(f->width, (u32)strlen(title)) });
	}
}

struct width_ctx {
	struct view_table *t;
	size_t nr;
	u32 (*width)[SORT_MAX_COLUMNS];	/* per worker */
	struct strbuf *scratch;
};
#define WIDTH_BATCH 4096

static void measure_batch(void *arg, unsigned int worker, size_t batch)
{
	struct width_ctx *c = arg;
	struct strbuf *sb = &c->scratch[worker];

	for (size_t r = batch * WIDTH_BATCH; r < MIN((batch + 1) * WIDTH_BATCH, c->nr); r++) {
		for (u32 i = 0; i < c->t->column.nr; i++) {
			strbuf_reset(sb);
			report_cell(c->t, r, i, sb);
			c->width[worker][i] = MAX(c->width[worker][i], (u32)sb->len);
		}
	}
}

/* as wide as the widest cell, rows below the limit included: the limit does not change the layout */
static void measure_columns(struct viewer *w, struct view_table *t, size_t nr)
{
	struct pool *pool = w->h->session->pool;
	unsigned int nr_workers = pool_nr_workers(pool);
	struct width_ctx c = { .t = t, .nr = nr, .width = xcalloc(nr_workers, sizeof(*c.width)),
			       .scratch = xcalloc(nr_workers, sizeof(*c.scratch)) };

	if (!w->o->no_widths)
		pool_run(pool, (nr + WIDTH_BATCH - 1) / WIDTH_BATCH, measure_batch, &c);
	for (unsigned int n = 0; n < nr_workers; n++) {
		for (u32 i = 0; i < t->column.nr; i++)
			t->column.v[i].width = MAX(t->column.v[i].width, c.width[n][i]);
		strbuf_release(&c.scratch[n]);
	}
	free(c.width);
	free(c.scratch);
}

/* rows above the limit come first; returns how many rows there are with the others */
static size_t add_rows(struct viewer *w, struct view_table *t, struct table_ctx *c, const struct hist_event *he)
{
	size_t nr = 0, below = 0;
	const struct hist_entry **rest;

	c->row = xreallocarray(NULL, he->nr_entries + 1, sizeof(*c->row));
	vec_push(&w->v->owned, c->row);
	rest = xreallocarray(NULL, he->nr_entries + 1, sizeof(*rest));
	for (const struct hist_entry *e = he->entry; e < he->entry + he->nr_entries; e++) {
		if (!matches_filter(w, e))
			continue;
		if (above_limit(w, e, t->total_period))
			c->row[nr++] = e;
		else
			rest[below++] = e;
	}
	t->nr_rows = nr;
	memcpy(c->row + nr, rest, below * sizeof(*rest));
	free(rest);
	return nr + below;
}

/* where rows begin with the symbol, a graph does not say it again */
static struct view_node *drop_repeated(const struct table_ctx *c, struct view_node *root, size_t row)
{
	const struct field *first = c->order->nr_keys ? c->order->key[0] : NULL;
	const struct names *names = c->fields.names;
	struct view_node *n;
	struct strbuf sb = STRBUF_INIT;
	const char *name;

	if (!first || !first->is_name || root->child.nr != 1 || root->child.v[0]->nr != root->nr)
		return root;
	n = root->child.v[0];
	name = names->named.v[hist_entry_key(c->h, c->row[row], 0)].name;
	strbuf_add_safe(&sb, name ? name : "");
	if (!strcmp(strbuf_str(&sb), n->label))
		root = n;
	strbuf_release(&sb);
	return root->child.nr ? root : NULL;
}

struct tree_task {
	const struct hist *h;
	struct view_table *t;
	const struct table_ctx *c;
	struct chain_builder **builder;	/* per worker, made when first needed */
};

static void make_tree(void *arg, unsigned int worker, size_t row)
{
	struct tree_task *k = arg;
	struct view_node *root;

	if (!k->builder[worker])
		k->builder[worker] = chain_builder_new(k->h);
	root = chain_tree(k->builder[worker], k->c->row[row], k->t->total_period);
	k->t->tree[row] = root ? drop_repeated(k->c, root, row) : NULL;
}

static void add_trees(struct viewer *w, struct view_table *t, const struct table_ctx *c)
{
	struct pool *pool = w->h->session->pool;
	struct tree_task k = { .h = w->h, .t = t, .c = c };

	if (!w->chains)
		return;
	t->tree = xcalloc(t->nr_rows + 1, sizeof(*t->tree));
	vec_push(&w->v->owned, t->tree);
	k.builder = xcalloc(pool_nr_workers(pool), sizeof(*k.builder));
	pool_run(pool, t->nr_rows, make_tree, &k);
	for (unsigned int i = 0; i < pool_nr_workers(pool); i++)
		chain_builder_finish(k.builder[i], w->v);
	free(k.builder);
}

static void add_event(struct viewer *w, u32 idx)
{
	struct hist_event *he = &w->h->event[idx];
	const struct event *ev = evset_at(w->h->session->data->evset, idx);
	struct view_table *t;
	struct table_ctx *c;

	if (ev->dummy || (!he->total.nr && w->o->hide_empty))
		return;
	t = ARENA_NEW(&w->v->arena, struct view_table);
	c = ARENA_NEW(&w->v->arena, struct table_ctx);
	c->total = w->o->relative ? he->shown : he->total;
	c->h = w->h;
	c->order = w->o->order;
	c->fields = w->ctx;
	c->fields.total = &c->total;
	t->cell = report_cell;
	t->ctx = c;
	t->total_period = c->total.period;
	t->total_nr = c->total.nr;
	t->min_percent = w->h->opts.chain.min_percent;
	add_head(w, t, ev, &he->total);
	add_columns(w, t, c);
	measure_columns(w, t, add_rows(w, t, c, he));
	add_trees(w, t, c);
	vec_push(&w->v->table, t);
}

static const char *const tips[] = {
#define TIP(text) text,
#include "tips.def"
#undef TIP
};

static void add_frame(struct viewer *w)
{
	struct session *s = w->h->session;
	struct strbuf sb = STRBUF_INIT;

	if (!w->o->header_shown)
		vec_push(&w->v->head, "To display the perf.data header info, please use --header/--header-only options.");
	vec_push(&w->v->head, "");
	vec_push(&w->v->head, "");
	strbuf_addf(&sb, "Total Lost Samples: %lu", s->nr_lost_samples);
	vec_push(&w->v->head, keep_text(w, &sb));
	vec_push(&w->v->head, "");
	/* by the file, not by chance: the same report twice is the same text */
	strbuf_addf(&sb, "(Tip: %s)", tips[s->nr_samples % ARRAY_SIZE(tips)]);
	vec_push(&w->v->foot, "");
	vec_push(&w->v->foot, keep_text(w, &sb));
	vec_push(&w->v->foot, "");
	strbuf_release(&sb);
}

struct view *report_view(struct hist *h, const struct report_view_opts *o)
{
	struct viewer w = { .h = h, .o = o, .v = xcalloc(1, sizeof(*w.v)) };

	w.ctx = (struct field_ctx){ .session = h->session, .names = &h->names, .verbose = o->verbose };
	add_frame(&w);
	hist_sort(h, o->order->stat, &w.ctx);
	w.chains = h->opts.chains && h->opts.chain.mode != CHAIN_MODE_NONE;
	for (u32 i = 0; i < h->nr_events; i++)
		add_event(&w, i);
	return w.v;
}
