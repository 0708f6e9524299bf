/* Report view: entries to tables of cells. */
#include "report-view.h"

#include <stdlib.h>
#include "chain-tree.h"
#include "group.h"
#include "hierarchy.h"
#include "order.h"
#include "ref-graphs.h"
#include "report-brief.h"
#include "report-frame.h"
#include "sort-order.h"
#include "stack-summary.h"
#include "time-view.h"
#include "../base/progress.h"
#include "../fields/file-facts.h"
#include "../fields/sample-filter.h"

struct viewer {
	struct hist *h;
	const struct report_view_opts *o;
	u32 *last_member;
	enum report_group group;
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

/* 12345 as "12K": cut to whole thousands, as the header always did; 1000 of a unit are not one of the next */
static void add_rounded(struct strbuf *sb, u64 n)
{
	static const char units[] = " KMGT";
	u64 unit = 1;
	int u = 0;

	for (; n > 1000 * unit && units[u + 1]; u++)
		unit *= 1000;
	strbuf_add_u64(sb, n / unit, 0);
	strbuf_addch(sb, units[u]);
}

/* "of event 'cycles'", "of events 'anon group { cycles, instructions }'" */
static void add_event_names(struct viewer *w, const struct group *g, struct strbuf *sb)
{
	const struct evset *set = w->h->session->data->evset;
	const char *group_name = evset_at(set, g->member[0])->group_name;

	strbuf_addstr(sb, g->nr_members > 1 ? " of events '" : " of event '");
	if (g->nr_members > 1 && g->recorded) {
		strbuf_add_safe(sb, group_name && *group_name ? group_name : "anon group");
		strbuf_addstr(sb, " { ");
	}
	for (u32 i = 0; i < g->nr_members; i++) {
		strbuf_addstr(sb, i ? ", " : "");
		strbuf_add_safe(sb, evset_at(set, g->member[i])->name);
	}
	strbuf_addstr(sb, g->nr_members > 1 && g->recorded ? " }'" : "'");
}

static const struct stat_sums *event_total(const struct viewer *w, u32 event)
{
	return w->o->relative ? &w->h->event[event].shown : &w->h->event[event].total;
}

static void add_head(struct viewer *w, struct view_table *t, const struct group *g, bool ref_graphs)
{
	const struct sample_filter *filter = w->o->filter;
	struct strbuf sb = STRBUF_INIT;
	u64 nr = 0, period = 0;

	for (u32 i = 0; i < g->nr_members; i++) {
		vec_push(&t->member, evset_at(w->h->session->data->evset, g->member[i])->name);
		nr += event_total(w, g->member[i])->nr;
		period += event_total(w, g->member[i])->period;
	}
	strbuf_addstr(&sb, "Samples: ");
	add_rounded(&sb, nr);
	add_event_names(w, g, &sb);
	if (filter->time_spec) {
		strbuf_addstr(&sb, " (time slices: ");
		strbuf_add_safe(&sb, filter->time_spec);
		strbuf_addch(&sb, ')');
	}
	if (ref_graphs)
		strbuf_addstr(&sb, ", show reference callgraph");
	vec_push(&t->head, keep_text(w, &sb));
	view_fact_number(&t->fact, "samples", nr);
	view_fact_number(&t->fact, w->o->weights ? "total-weight" : "event-count", period);
	strbuf_addf(&sb, "%s: %lu", w->o->weights ? "Total weight " : "Event count (approx.)", period);
	vec_push(&t->head, keep_text(w, &sb));
	if (w->o->sort_words) {
		strbuf_addstr(&sb, "Sort order   : ");
		strbuf_add_safe(&sb, w->o->sort_words);
		vec_push(&t->head, keep_text(w, &sb));
	}
	if (filter->socket_set) {
		strbuf_addf(&sb, "Processor Socket: %u", filter->socket);
		vec_push(&t->head, keep_text(w, &sb));
	}
	strbuf_release(&sb);
}

struct table_ctx {
	struct field_ctx fields;	/* of the first event */
	struct field_ctx *member;	/* of each event of a group */
	u32 nr_members;
	bool plain;			/* cells are not padded */
	const struct hist *h;
	const struct sort_order *order;
	const struct field *column[SORT_MAX_COLUMNS];	/* those of the order that the event has */
	u32 key_of[SORT_MAX_COLUMNS];	/* column -> position in hist_entry.key */
	u32 name_key;			/* the key that is a name's id, or HIST_NONE */
	u32 event;			/* the first one */
	const struct hist_entry **row;	/* nr_members entries per row */
};

/* the entry from which the row's keys are shown: that of the first event that has one */
static const struct hist_entry *row_entry(const struct table_ctx *c, size_t row)
{
	const struct hist_entry **e = c->row + row * c->nr_members;

	while (!*e)
		e++;
	return *e;
}

static void group_cell(const struct table_ctx *c, const struct field *f, size_t row, struct strbuf *out)
{
	for (u32 m = 0; m < c->nr_members; m++) {
		const struct hist_entry *e = c->row[row * c->nr_members + m];

		struct stat_sums sums = e ? hist_entry_sums(c->h, e) : (struct stat_sums){ 0 };

		stat_cell(f, &c->member[m], &sums, !m, c->plain, out);
	}
}

static void report_cell(const struct view_table *t, size_t row, u32 column, struct strbuf *out)
{
	const struct table_ctx *c = t->ctx;
	const struct field *f = c->column[column];
	struct stat_sums sums;

	if (f->times_nr) {
		sums = hist_entry_sums(c->h, row_entry(c, row));
		f->format(&c->fields, sums.nr * hist_entry_key(c->h, row_entry(c, row), c->key_of[column]),
			  out);
	} else if (f->kind != FIELD_STAT) {
		f->format(&c->fields, hist_entry_key(c->h, row_entry(c, row), c->key_of[column]), out);
	} else if (c->nr_members == 1) {
		sums = hist_entry_sums(c->h, c->row[row]);
		f->format_stat(&c->fields, &sums, out);
	} else {
		group_cell(c, f, row, out);
	}
}

static void report_value(const struct view_table *t, size_t row, u32 column, u32 member,
			 struct strbuf *scratch, struct view_value *ret)
{
	const struct table_ctx *c = t->ctx;
	const struct field *f = c->column[column];
	const struct hist_entry *e = f->kind == FIELD_STAT ?
				     c->row[row * c->nr_members + member] : row_entry(c, row);
	struct stat_sums sums = e ? hist_entry_sums(c->h, e) : (struct stat_sums){ 0 };

	if (f->kind == FIELD_STAT)
		field_stat_value(f, &c->member[member], &sums, ret);
	else
		field_value(f, &c->fields, (f->times_nr ? sums.nr :
					    1) * hist_entry_key(c->h, e, c->key_of[column]), scratch, ret);
}

/*
 * Rows are shown in the order of shares, so their data is scattered. Prefetches the entry of each row some
 * rows ahead, its sums and words some rows later, then the data they refer to.
 */
static void report_prefetch(const struct view_table *t, size_t row)
{
	const struct table_ctx *c = t->ctx;
	const struct names *n = c->fields.names;
	size_t entry = row + 36, far = row + 24, near = row + 12;
	const struct hist_entry *e;

	if (c->nr_members > 1 || entry >= t->nr_rows)
		return;
	__builtin_prefetch(c->row[entry]);
	e = c->row[far];
	__builtin_prefetch(key_table_at(&c->h->frame_keys, e->frame_key));
	__builtin_prefetch(key_table_at(&c->h->sample_keys, e->sample_key));
	if (e->own != HIST_NONE)
		__builtin_prefetch(&c->h->own.v[e->own]);
	if (c->name_key != HIST_NONE) {
		const struct named *nm = &n->named.v[hist_entry_key(c->h, c->row[near], c->name_key)];

		__builtin_prefetch(nm);
		nm = &n->named.v[hist_entry_key(c->h, c->row[row + 6], c->name_key)];
		__builtin_prefetch(&n->frame.v[nm->frame]);
	}
}

/* in a group the first event's share decides */
static bool above_limit(const struct viewer *w, const struct table_ctx *c,
			const struct hist_entry *const *row)
{
	u64 total = c->member[0].total->period, part = 0;

	if (w->o->min_samples && (!row[0] || hist_entry_sums(w->h, row[0]).nr < w->o->min_samples))
		return false;
	if (row[0])
		part = w->h->opts.children ? row[0]->period_children : hist_entry_period(w->h, row[0]);
	if (total)
		return 100.0 * part / total >= w->o->percent_limit;
	return c->nr_members > 1 ? w->o->percent_limit <= 0 : hist_entry_sums(w->h, row[0]).nr > 0;
}

static bool matches_filter(const struct viewer *w, const struct hist_entry *e)
{
	bool hide = w->o->filter->hide_unresolved;

	for (u32 i = 0; (w->o->symbol_filter || hide) && i < w->h->opts.nr_keys; i++) {
		struct strbuf sb = STRBUF_INIT;
		bool hit;

		if (strcmp(w->h->opts.key[i]->name, "symbol"))
			continue;
		/* samples without a name were dropped; this is about their callers */
		if (hide && !w->h->names.named.v[hist_entry_key(w->h, e, i)].name)
			return false;
		if (!w->o->symbol_filter)
			return true;
		w->h->opts.key[i]->format(&w->ctx, hist_entry_key(w->h, e, i), &sb);
		hit = strstr(strbuf_str(&sb), w->o->symbol_filter) != NULL;
		strbuf_release(&sb);
		return hit;
	}
	return true;
}

static void add_columns(struct viewer *w, struct view_table *t, struct table_ctx *c, u32 event)
{
	const struct sort_order *order = w->o->order;

	c->name_key = HIST_NONE;
	for (u32 k = 0; k < w->h->opts.nr_keys; k++)
		if (w->h->opts.key[k]->is_name)
			c->name_key = k;
	for (u32 i = 0; i < order->nr_columns; i++) {
		const struct field *f = order->column[i];
		u32 width = f->width * (f->kind == FIELD_STAT ? c->nr_members : 1);
		const char *title = field_title(f, event, &width);

		if (!title || !hist_has_column(w->h, f))
			continue;
		if (order->self && !strcmp(f->name, "overhead"))
			title = "Self";
		for (u32 k = 0; k < w->h->opts.nr_keys; k++)
			if (w->h->opts.key[k] == f)
				c->key_of[t->column.nr] = k;
		c->column[t->column.nr] = f;
		vec_push(&t->column, (struct view_column){ .name = f->name, .title = title, .right = f->right,
			 .type = f->type, .unit = f->unit,
			 .each_member = f->kind == FIELD_STAT && c->nr_members > 1, .no_pad = f->no_pad,
			 .whole = f->whole, .fixed = f->percent, .group = f->group,
			 .title_in_group = f->title_in_group, .width = field_title_width(f, title, width) });
	}
}

struct width_ctx {
	struct view_table *t;
	size_t nr;			/* number of rows, including those below the limit */
	u32 column;			/* the one that is measured now */
	u8 *used_sample_key, *used_frame_key;	/* rows contain them */
	struct width_worker {
		u32 width;
		struct strbuf scratch;
	} CACHE_ALIGNED *worker;
};
#define WIDTH_BATCH 4096

static const struct field *width_field(const struct width_ctx *c)
{
	const struct table_ctx *tc = c->t->ctx;

	return tc->column[c->column];
}

static void measure_numbers(void *arg, unsigned int worker, size_t batch)
{
	struct width_ctx *c = arg;
	struct width_worker *w = &c->worker[worker];

	for (size_t r = batch * WIDTH_BATCH; r < MIN((batch + 1) * WIDTH_BATCH, c->nr); r++) {
		strbuf_reset(&w->scratch);
		report_cell(c->t, r, c->column, &w->scratch);
		w->width = MAX(w->width, (u32)w->scratch.len);
	}
}

static u32 key_length(const struct field *f, const struct field_ctx *ctx, u64 key, struct strbuf *scratch)
{
	if (f->length)
		return f->length(ctx, key, scratch);
	strbuf_reset(scratch);
	f->format(ctx, key, scratch);
	return scratch->len;
}

/* there are fewer distinct values than rows, and they are in the order of memory */
static void measure_keys(void *arg, unsigned int worker, size_t batch)
{
	struct width_ctx *c = arg;
	struct width_worker *w = &c->worker[worker];
	const struct table_ctx *tc = c->t->ctx;
	const struct field *f = width_field(c);
	bool slot = f->kind == FIELD_SLOT;
	const struct key_table *rows = slot ? &tc->h->sample_keys : &tc->h->frame_keys;
	const u8 *used = slot ? c->used_sample_key : c->used_frame_key;
	u32 word = tc->h->key_word[tc->key_of[c->column]];
	const u64 *last = NULL;

	for (size_t i = batch * WIDTH_BATCH; i < MIN((batch + 1) * WIDTH_BATCH, rows->nr); i++) {
		const u64 *key = key_table_at(rows, i) + word;

		if (!used[i] || (last && *last == *key))
			continue;
		last = key;
		w->width = MAX(w->width, key_length(f, &tc->fields, *key, &w->scratch));
	}
}

static u32 measure_column(struct width_ctx *c, struct pool *pool, u32 column)
{
	const struct table_ctx *tc = c->t->ctx;
	enum field_kind kind;
	u32 width = 0;
	size_t nr;

	c->column = column;
	kind = width_field(c)->kind;
	nr = kind == FIELD_STAT ? c->nr : kind == FIELD_SLOT ? tc->h->sample_keys.nr : tc->h->frame_keys.nr;
	for (unsigned int n = 0; n < pool_nr_workers(pool); n++)
		c->worker[n].width = 0;
	pool_run(pool, (nr + WIDTH_BATCH - 1) / WIDTH_BATCH,
		 kind == FIELD_STAT ? measure_numbers : measure_keys, c);
	for (unsigned int n = 0; n < pool_nr_workers(pool); n++)
		width = MAX(width, c->worker[n].width);
	return width;
}

/* a dso's column is not narrower than this if functions are not known, as in upstream */
#define UNRESOLVED_DSO_WIDTH 16u

static bool any_unresolved(const struct width_ctx *c)
{
	const struct table_ctx *tc = c->t->ctx;

	if (tc->name_key == HIST_NONE)
		return false;
	for (u32 i = 0; i < tc->h->frame_keys.nr; i++) {
		u64 named = key_table_at(&tc->h->frame_keys, i)[tc->h->key_word[tc->name_key]];

		if (c->used_frame_key[i] && !tc->fields.names->named.v[named].name)
			return true;
	}
	return false;
}

/* as wide as the widest cell, including rows below the limit: the limit does not change the layout */
static void measure_columns(struct viewer *w, struct view_table *t, size_t nr)
{
	struct pool *pool = w->h->session->pool;
	unsigned int nr_workers = pool_nr_workers(pool);
	struct width_ctx c = { .t = t, .nr = nr };

	if (w->o->no_widths)
		return;
	c.worker = xcalloc_aligned(nr_workers, sizeof(*c.worker));
	c.used_sample_key = xcalloc(w->h->sample_keys.nr + 1, 1);
	c.used_frame_key = xcalloc(w->h->frame_keys.nr + 1, 1);
	for (size_t r = 0; r < nr; r++) {
		const struct hist_entry *e = row_entry(t->ctx, r);

		c.used_sample_key[e->sample_key] = c.used_frame_key[e->frame_key] = true;
	}
	for (u32 i = 0; i < t->column.nr; i++) {
		u32 *width = &t->column.v[i].width;

		if (t->column.v[i].fixed)
			continue;
		*width = MAX(*width, measure_column(&c, pool, i));
		if (!strcmp(t->column.v[i].name, "dso") && !w->o->filter->dsos.active && any_unresolved(&c))
			*width = MAX(*width, UNRESOLVED_DSO_WIDTH);
	}
	for (unsigned int n = 0; n < nr_workers; n++)
		strbuf_release(&c.worker[n].scratch);
	free(c.worker);
	free(c.used_sample_key);
	free(c.used_frame_key);
}

/* rows above the limit come first; returns the number of rows including the others */
static size_t add_rows(struct viewer *w, struct view_table *t, struct table_ctx *c, const struct group *g)
{
	size_t nr = 0, below = 0, width = c->nr_members;
	const struct hist_entry **rest = xreallocarray(NULL, g->nr_rows * width + 1, sizeof(*rest));

	c->row = xreallocarray(NULL, g->nr_rows * width + 1, sizeof(*c->row));
	vec_push(&w->v->owned, c->row);
	for (size_t r = 0; r < g->nr_rows; r++) {
		const struct hist_entry **from = g->row + r * width, **to = c->row + nr * width;

		memcpy(to, from, width * sizeof(*to));
		if (!matches_filter(w, row_entry(c, nr)))
			continue;
		if (above_limit(w, c, from))
			nr++;
		else
			memcpy(rest + below++ * width, from, width * sizeof(*to));
	}
	if (w->o->max_rows && nr >= w->o->max_rows) {
		nr = w->o->max_rows;	/* columns are as wide as what is shown */
		below = 0;
	}
	t->nr_rows = nr;
	memcpy(c->row + nr * width, rest, below * width * sizeof(*rest));
	free(rest);
	return nr + below;
}

/* if rows begin with the symbol, a tree does not repeat it; lists of paths are complete */
static struct view_node *drop_repeated(const struct table_ctx *c, struct view_node *root,
				       const struct hist_entry *e)
{
	const struct names *names = c->fields.names;
	struct view_node *n;
	struct strbuf sb = STRBUF_INIT;
	const char *name;

	if (c->h->opts.chain.mode == CHAIN_MODE_FLAT || c->h->opts.chain.mode == CHAIN_MODE_FOLDED)
		return root;
	if (!c->order->names_rows || root->child.nr != 1 || root->child.v[0]->nr != root->nr)
		return root;
	n = root->child.v[0];
	name = names->named.v[hist_entry_key(c->h, e, 0)].name;
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
	const struct hierarchy *y;	/* if rows are a tree, else NULL */
	const struct ref_graphs *ref;	/* or NULL */
	struct chain_builder **builder;	/* per worker, made when first needed */
};

#define TREE_BATCH 64		/* most rows are below every threshold */

static void make_tree(const struct tree_task *k, struct chain_builder *b, size_t row)
{
	const struct hist_entry *e = k->y ? hierarchy_entry(k->y, row) : k->c->row[row * k->c->nr_members];
	struct view_node *root;

	if (e && k->ref)
		e = ref_graphs_find(k->ref, e);
	if (!e)
		return;		/* the graph is that of the first event */
	root = chain_tree(b, e, k->t->total_period);
	k->t->tree[row] = root ? drop_repeated(k->c, root, e) : NULL;
}

static void make_trees(void *arg, unsigned int worker, size_t batch)
{
	struct tree_task *k = arg;

	if (!k->builder[worker])
		k->builder[worker] = chain_builder_new(k->h);
	for (size_t row = batch * TREE_BATCH; row < MIN((batch + 1) * TREE_BATCH, k->t->nr_rows); row++)
		make_tree(k, k->builder[worker], row);
}

static void add_trees(struct viewer *w, struct view_table *t, const struct table_ctx *c,
		      const struct hierarchy *y, const struct ref_graphs *ref)
{
	struct pool *pool = w->h->session->pool;
	struct tree_task k = { .h = w->h, .t = t, .c = c, .y = y, .ref = ref };

	if (!w->chains)
		return;
	if (ref) {
		t->total_period = event_total(w, ref_graphs_event(ref))->period;
		t->total_nr = event_total(w, ref_graphs_event(ref))->nr;
	}
	t->tree = xcalloc(t->nr_rows + 1, sizeof(*t->tree));
	vec_push(&w->v->owned, t->tree);
	k.builder = xcalloc(pool_nr_workers(pool), sizeof(*k.builder));
	pool_run(pool, (t->nr_rows + TREE_BATCH - 1) / TREE_BATCH, make_trees, &k);
	for (unsigned int i = 0; i < pool_nr_workers(pool); i++)
		chain_builder_finish(k.builder[i], w->v);
	free(k.builder);
}

static const struct view_slot *report_slots(const struct view_table *t, size_t row, u32 *ret_nr)
{
	const struct table_ctx *c = t->ctx;

	return hist_slots_find(&c->h->slots, hist_entry_row(row_entry(c, row)), 0, ret_nr);
}

static struct hierarchy *add_levels(struct viewer *w, struct view_table *t, const struct table_ctx *c,
				    u32 event, size_t nr_rows)
{
	return hierarchy_make(w->v, t, &(struct hierarchy_rows){ .h = w->h, .order = c->order,
		.member = c->member, .event = event, .nr_members = c->nr_members,
		.sort_first = w->o->group_sort, .row = c->row, .nr_rows = nr_rows,
		.percent_limit = w->o->percent_limit, .plain = c->plain });
}

/* of several with a key, the first whose column is shown counts */
static const struct view_zoom zooms[] = {
	{ 'd', "dso", NULL, "show only rows of this program or library" },
	{ 't', "tid", NULL, "show only rows of this thread" },
	{ 't', "pid", NULL, "show only rows of this process" },
	{ 't', "comm", NULL, "show only rows of threads with this name" },
	{ 'k', "dso", "[kernel", "show only rows of the kernel" },
};

static void add_group(struct viewer *w, struct group *g)
{
	struct hierarchy *levels = NULL;
	struct ref_graphs *ref = NULL;
	size_t nr_rows;
	struct view_table *t = ARENA_NEW(&w->v->arena, struct view_table);
	struct table_ctx *c = ARENA_NEW(&w->v->arena, struct table_ctx);

	c->h = w->h;
	c->order = w->o->order;
	c->plain = w->o->no_widths;
	c->event = g->member[0];
	c->nr_members = g->nr_members;
	c->member = arena_alloc(&w->v->arena, g->nr_members * sizeof(*c->member));
	for (u32 m = 0; m < g->nr_members; m++) {
		c->member[m] = w->ctx;
		c->member[m].total = event_total(w, g->member[m]);
	}
	c->fields = c->member[0];
	t->cell = report_cell;
	t->value = report_value;
	t->prefetch = report_prefetch;
	t->ctx = c;
	t->total_period = c->fields.total->period;
	t->total_nr = c->fields.total->nr;
	t->min_percent = w->h->opts.chain.min_percent;
	t->zoom = zooms;
	t->nr_zooms = ARRAY_SIZE(zooms);
	group_make_rows(g, w->h);
	if (w->o->ref_graphs && w->chains)
		ref = ref_graphs_new(w->h, g->member[0]);
	add_head(w, t, g, ref);
	nr_rows = add_rows(w, t, c, g);
	if (w->o->hierarchy) {
		levels = add_levels(w, t, c, g->member[0], nr_rows);
	} else {
		add_columns(w, t, c, g->member[0]);
		measure_columns(w, t, nr_rows);
	}
	add_trees(w, t, c, levels, ref);
	ref_graphs_free(ref);
	if (w->o->time) {
		t->time = hist_time_view(w->h, w->v, g->member[0], g->nr_members, w->o->mark);
		t->slots = report_slots;
	}
	vec_push(&w->v->table, t);
}

/* recorded groups are kept: all events become one group only if there are none */
static enum report_group choose_group(enum report_group asked, const struct evset *set)
{
	for (u32 i = 0; i < set->ev.nr && asked == GROUP_ALL; i++)
		if (evset_at(set, i)->leader != i)
			return GROUP_RECORDED;
	return asked;
}

/* all events of the table that contains the idx-th; none if it is in an earlier table */
static void find_group(const struct viewer *w, u32 idx, struct group *g)
{
	const struct evset *set = w->h->session->data->evset;
	u32 leader = evset_at(set, idx)->leader;

	*g = (struct group){ .member = xreallocarray(NULL, set->ev.nr, sizeof(u32)),
			     .recorded = leader != idx };
	/* a group begins with its leader */
	for (u32 i = w->group == GROUP_ALL ? 0 : leader; i < set->ev.nr; i++) {
		const struct event *ev = evset_at(set, i);
		bool member = w->group == GROUP_ALL || (w->group == GROUP_RECORDED && ev->leader == leader);

		if (i > w->last_member[leader] && w->group != GROUP_ALL)
			break;
		if (ev->dummy || (i != idx && !member))
			continue;
		if (i < idx && member) {
			g->nr_members = 0;
			return;
		}
		if (i == idx || w->h->event[i].total.nr || !w->o->hide_empty)
			g->member[g->nr_members++] = i;
		g->recorded |= i != idx && ev->leader == leader;
	}
}

static void add_event(struct viewer *w, u32 idx)
{
	struct group g;

	if (evset_at(w->h->session->data->evset, idx)->dummy ||
	    (!w->h->event[idx].total.nr && w->o->hide_empty))
		return;
	find_group(w, idx, &g);
	g.sort_first = w->o->group_sort;
	g.by = w->o->order->by;
	g.nr_by = w->o->order->nr_by;
	g.ctx = &w->ctx;
	if (g.nr_members)
		add_group(w, &g);
	group_release(&g);
}

static void keep_event_lines(struct view *v)
{
	vec_foreach(&v->table, t)
		(*t)->head.nr = v->table.nr > 1 ? 1 : 0;
}

struct view *report_view(struct hist *h, const struct report_view_opts *o)
{
	struct viewer w = { .h = h, .o = o, .v = xcalloc(1, sizeof(*w.v)) };

	w.ctx = hist_field_ctx(h);
	w.v->name = "report";
	file_facts(&w.v->fact, &w.v->arena, h->session);
	stack_summary_fact(h, &w.v->fact, &w.v->arena);
	if (!o->tables_only) {
		report_frame(w.v, h, o);
		report_brief(w.v, h);
	}
	progress_at("sorting rows");
	hist_sort(h, &(struct hist_order){ .by = o->order->by, .nr_by = o->order->nr_by }, &w.ctx);
	w.last_member = group_last_members(h->session->data->evset);
	w.group = choose_group(o->group, h->session->data->evset);
	w.chains = h->opts.chains && h->opts.chain.mode != CHAIN_MODE_NONE;
	for (u32 i = 0; i < h->nr_events; i++)
		add_event(&w, i);
	free(w.last_member);
	if (o->tables_only)
		keep_event_lines(w.v);
	return w.v;
}

bool report_row_symbol(const struct view_table *t, size_t row, struct report_symbol *ret)
{
	const struct table_ctx *c = t->ctx;
	const struct named *n;

	if (t->nr_levels || c->name_key == HIST_NONE)
		return false;
	n = &c->fields.names->named.v[hist_entry_key(c->h, row_entry(c, row), c->name_key)];
	*ret = (struct report_symbol){ n->dso, n->sym, c->event, n->name };
	return n->dso != ID_NONE && n->sym != ID_NONE && n->name;
}
