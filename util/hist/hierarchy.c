/* Hierarchy: see hierarchy.h. */
#include "hierarchy.h"

#include <errno.h>
#include <stdlib.h>
#include "key-table.h"

#define NODE_ROOT UINT32_MAX

/* a row: all entries with equal keys up to its level */
struct node {
	u32 parent;
	u32 level;
	u64 key;
	const struct hist_entry *entry;	/* of the first event, at the last level */
	u32 first, nr;			/* children in hierarchy->child */
};

struct hierarchy {
	struct hierarchy_rows from;
	struct { VEC(struct node); } node;	/* parents before their children */
	struct stat_sums *sums;		/* nr_members for each node */
	struct hist_mem *mem;		/* the same; NULL: not counted */
	u32 *child;			/* nodes grouped by parent, in the order they are shown */
	u32 first_top, nr_top;		/* those of the first level, in child */
	const struct field *column[SORT_MAX_COLUMNS];	/* those of the order that the event has */
	u32 nr_stats, nr_levels;	/* columns: first the numbers, then one per level */
	bool row_is_leaf;		/* all keys are levels: no two rows share a node of the last level */
	struct { VEC(u32); } shown;	/* row -> node */
	struct { VEC(struct view_level); } level;
};

void stat_cell(const struct field *f, const struct field_ctx *ctx, const struct stat_sums *sums, bool first,
	       bool plain, struct strbuf *out)
{
	struct strbuf one = STRBUF_INIT;

	f->format_stat(ctx, sums, &one);
	if (plain)
		strbuf_addstr(out, first ? "" : " ");
	else if (!first && one.len < f->width)
		strbuf_pad(out, ' ', f->width - one.len);
	strbuf_add(out, one.buf, one.len);
	strbuf_release(&one);
}

static const struct field *level_field(const struct hierarchy *y, u32 level)
{
	return y->column[y->nr_stats + level];
}

static u32 key_of_field(const struct hist *h, const struct field *f)
{
	u32 k = 0;

	while (h->opts.key[k] != f)
		k++;
	return k;
}

/* mem_part: those of `to`, or NULL */
static void add_sums(struct stat_sums *to, const struct stat_sums *s, u64 *mem_part)
{
	to->nr += s->nr;
	to->period += s->period;
	to->latency += s->latency;
	to->period_sys += s->period_sys;
	to->period_us += s->period_us;
	to->period_guest_sys += s->period_guest_sys;
	to->period_guest_us += s->period_guest_us;
	for (u32 i = 0; i < HIST_NR_WEIGHTS; i++)
		to->weight[i] += s->weight[i];
	to->branches += s->branches;
	to->predicted += s->predicted;
	to->aborts += s->aborts;
	to->cycles += s->cycles;
	for (u32 i = 0; s->mem_part && i < DATA_SRC_NR_PARTS; i++)
		mem_part[i] += s->mem_part[i];
}

static void add_to_node(struct hierarchy *y, u32 node, u32 member, const struct stat_sums *sums)
{
	size_t at = (size_t)node * y->from.nr_members + member;
	u64 *mem = y->mem ? y->mem[at].part : NULL;

	add_sums(&y->sums[at], sums, mem);
	y->sums[at].mem_part = mem;
}

/* children come after their parents */
static void add_to_parents(struct hierarchy *y)
{
	u32 nr = y->from.nr_members;

	for (u32 i = y->node.nr; i-- > 0;) {
		u32 parent = y->node.v[i].parent;

		for (u32 m = 0; m < nr && parent != NODE_ROOT; m++)
			add_to_node(y, parent, m, &y->sums[(size_t)i * nr + m]);
	}
}

static const struct hist_entry *first_entry(const struct hist_entry *const *row)
{
	while (!*row)
		row++;
	return *row;
}

/* the node of a row at each level, from the parents on; returns the last */
static u32 row_nodes(struct hierarchy *y, struct key_table *ids, const u32 *key_of,
		     const struct hist_entry *e)
{
	u32 parent = NODE_ROOT, id;

	for (u32 l = 0; l < y->nr_levels; l++, parent = id) {
		u64 key = hist_entry_key(y->from.h, e, key_of[l]);

		if (y->row_is_leaf && l + 1 == y->nr_levels)
			id = key_table_append(ids, (u64[]){ parent, key });
		else
			id = key_table_get(ids, (u64[]){ parent, key });
		if (id == y->node.nr)
			vec_push(&y->node, (struct node){ .parent = parent, .level = l, .key = key });
	}
	return parent;
}

/* the nodes of all rows, with their sums */
static void make_nodes(struct hierarchy *y)
{
	const struct hierarchy_rows *from = &y->from;
	u32 key_of[SORT_MAX_COLUMNS];
	struct key_table ids;
	size_t nr;

	for (u32 l = 0; l < y->nr_levels; l++)
		key_of[l] = key_of_field(from->h, level_field(y, l));
	key_table_init(&ids, 2, 0);
	nr = from->nr_rows * from->nr_members * y->nr_levels + 1;
	y->sums = xcalloc(nr, sizeof(*y->sums));
	y->mem = from->h->opts.mem_parts ? xcalloc(nr, sizeof(*y->mem)) : NULL;
	y->row_is_leaf = y->nr_levels == from->h->opts.nr_keys;
	for (size_t r = 0; r < from->nr_rows; r++) {
		const struct hist_entry *const *row = from->row + r * from->nr_members, *e = first_entry(row);
		u32 leaf = row_nodes(y, &ids, key_of, e);

		for (u32 m = 0; m < from->nr_members && leaf != NODE_ROOT; m++) {
			struct stat_sums sums;

			if (!row[m])
				continue;
			sums = hist_entry_sums(from->h, row[m]);
			add_to_node(y, leaf, m, &sums);
		}
		if (leaf != NODE_ROOT)
			y->node.v[leaf].entry = row[0];
	}
	key_table_release(&ids);
	add_to_parents(y);
}

static int cmp_keys(const struct hierarchy *y, const struct node *a, const struct node *b)
{
	const struct field *f = level_field(y, a->level);
	const struct field_ctx *ctx = y->from.member;
	u64 pa = f->prefix ? f->prefix(ctx, a->key) : 0, pb = f->prefix ? f->prefix(ctx, b->key) : 0;
	int ret;

	if (pa != pb)
		return pa < pb ? -1 : 1;
	ret = f->cmp ? f->cmp(ctx, a->key, b->key) : a->key < b->key ? -1 : a->key > b->key;
	return !ret && f->settle ? f->settle(ctx, a->key, b->key) : ret;
}

static int cmp_member(const struct hierarchy *y, const struct field *f, u32 a, u32 b, u32 member)
{
	const struct stat_sums *sums = y->sums + member;
	const struct field_ctx *ctx = &y->from.member[member];
	u64 va = f->stat(ctx, &sums[(size_t)a * y->from.nr_members]),
			vb = f->stat(ctx, &sums[(size_t)b * y->from.nr_members]);

	return (va < vb) - (va > vb);
}

/* compares by a number of the events, one after another, largest first */
static int cmp_stat(const struct hierarchy *y, const struct field *f, u32 a, u32 b)
{
	u32 nr = y->from.nr_members;
	int ret = y->from.sort_first < nr ? cmp_member(y, f, a, b, y->from.sort_first) : 0;

	for (u32 m = 0; m < nr && !ret; m++)
		ret = cmp_member(y, f, a, b, m);
	return ret;
}

/* leaves have the order of the rows, which compares keys after numbers, too; not those of several events */
static int cmp_node_keys(const struct hierarchy *y, u32 a, u32 b)
{
	if (y->row_is_leaf && y->from.nr_members == 1 && y->node.v[a].level + 1 == y->nr_levels)
		return a < b ? -1 : a > b;
	return cmp_keys(y, &y->node.v[a], &y->node.v[b]);
}

/* orders children of one parent by the numbers that order the rows, then by key */
static int cmp_children(const void *pa, const void *pb, void *arg)
{
	const struct hierarchy *y = arg;
	u32 a = *(const u32 *)pa, b = *(const u32 *)pb;
	const struct sort_order *order = y->from.order;
	int ret = 0;

	for (u32 i = 0; !ret && i < order->nr_by; i++)
		if (order->by[i]->kind == FIELD_STAT)
			ret = cmp_stat(y, order->by[i], a, b);
	return ret ? ret : cmp_node_keys(y, a, b);
}

/* rows are in order, so nodes with one row each are, too: those of the last level */
static void sort_children(struct hierarchy *y, u32 first, u32 nr)
{
	u32 *child = y->child + first;

	for (u32 i = 1; i < nr; i++) {
		if (cmp_children(&child[i - 1], &child[i], y) <= 0)
			continue;
		qsort_r(child, nr, sizeof(*child), cmp_children, y);
		return;
	}
}

static void order_children(struct hierarchy *y)
{
	u32 at = 0;

	y->child = xreallocarray(NULL, y->node.nr + 1, sizeof(*y->child));
	vec_foreach(&y->node, n)
		(*(n->parent == NODE_ROOT ? &y->nr_top : &y->node.v[n->parent].nr))++;
	vec_foreach(&y->node, n) {
		n->first = at;
		at += n->nr;
	}
	y->first_top = at;
	for (u32 i = 0, top = y->first_top; i < y->node.nr; i++) {
		u32 parent = y->node.v[i].parent;

		y->child[parent == NODE_ROOT ? top++ : y->node.v[parent].first++] = i;
	}
	vec_foreach(&y->node, n) {
		n->first -= n->nr;	/* it was counted up */
		sort_children(y, n->first, n->nr);
	}
	sort_children(y, y->first_top, y->nr_top);
}

/* in a group the first event decides */
static bool reaches_limit(const struct hierarchy *y, u32 node)
{
	const struct stat_sums *s = &y->sums[(size_t)node * y->from.nr_members];
	u64 total = y->from.member[0].total->period;

	return y->from.percent_limit <= 0 || (total && 100.0 * s->period / total >= y->from.percent_limit);
}

static void show_children(struct hierarchy *y, u32 first, u32 nr, u32 level)
{
	u32 before = y->shown.nr;

	for (u32 i = first; i < first + nr; i++) {
		const struct node *n = &y->node.v[y->child[i]];

		if (!reaches_limit(y, y->child[i]))
			continue;
		vec_push(&y->shown, y->child[i]);
		vec_push(&y->level, (struct view_level){ .depth = n->level });
		if (n->nr)
			show_children(y, n->first, n->nr, level + 1);
	}
	if (y->shown.nr == before && level) {
		vec_push(&y->shown, NODE_ROOT);
		vec_push(&y->level, (struct view_level){ .depth = level, .note = true });
	}
}

static void node_cell(const struct hierarchy *y, u32 node, const struct field *f, struct strbuf *out)
{
	const struct hierarchy_rows *from = &y->from;
	const struct stat_sums *sums = &y->sums[(size_t)node * from->nr_members];
	u64 times = f->times_nr ? sums->nr : 1;

	if (f->kind != FIELD_STAT)
		f->format(from->member, times * y->node.v[node].key, out);
	for (u32 m = 0; f->kind == FIELD_STAT && m < from->nr_members; m++)
		stat_cell(f, &from->member[m], &sums[m], !m, from->plain, out);
}

static u32 node_length(const struct hierarchy *y, u32 node, const struct field *f, struct strbuf *scratch)
{
	if (f->length)
		return f->length(y->from.member, y->node.v[node].key, scratch);
	strbuf_reset(scratch);
	node_cell(y, node, f, scratch);
	return scratch->len;
}

static void hierarchy_cell(const struct view_table *t, size_t row, u32 column, struct strbuf *out)
{
	const struct hierarchy *y = t->ctx;

	if (y->level.v[row].note)
		strbuf_addf(out, "no entry >= %.2f%%", y->from.percent_limit);
	else
		node_cell(y, y->shown.v[row], y->column[column], out);
}

static void hierarchy_value(const struct view_table *t, size_t row, u32 column, u32 member,
			    struct strbuf *scratch, struct view_value *ret)
{
	const struct hierarchy *y = t->ctx;
	const struct field *f = y->column[column];
	u32 node = y->shown.v[row];
	const struct stat_sums *sums = &y->sums[(size_t)node * y->from.nr_members];

	if (f->kind == FIELD_STAT)
		field_stat_value(f, &y->from.member[member], &sums[member], ret);
	else
		field_value(f, y->from.member, (f->times_nr ? sums->nr : 1) * y->node.v[node].key, scratch,
			    ret);
}

/* numbers first, then one column per level */
static void add_columns(struct hierarchy *y, struct view_table *t)
{
	for (u32 i = 0; i < y->from.order->nr_columns; i++) {
		const struct field *f = y->from.order->column[i];
		u32 width = f->width * (f->kind == FIELD_STAT ? y->from.nr_members : 1);
		const char *title = field_title(f, y->from.event, &width);

		if (!title || !hist_has_column(y->from.h, f))
			continue;
		y->column[t->column.nr] = f;
		y->nr_stats += f->kind == FIELD_STAT;
		vec_push(&t->column, (struct view_column){ .name = f->name, .title = title, .right = f->right,
			.type = f->type, .unit = f->unit,
			.each_member = f->kind == FIELD_STAT && y->from.nr_members > 1, .no_pad = f->no_pad,
			.whole = f->whole, .fixed = f->percent, .group = f->group,
			.title_in_group = f->title_in_group, .width = field_title_width(f, title, width) });
	}
	y->nr_levels = t->column.nr - y->nr_stats;
}

static void measure(const struct hierarchy *y, struct view_table *t)
{
	struct strbuf cell = STRBUF_INIT;

	for (u32 n = 0; !y->from.plain && n < y->node.nr; n++) {
		for (u32 i = 0; i <= y->nr_stats; i++) {
			u32 at = i < y->nr_stats ? i : y->nr_stats + y->node.v[n].level;
			const struct field *f = y->column[at];
			struct view_column *c = &t->column.v[at];

			if (c->fixed)
				continue;
			c->width = MAX(c->width, node_length(y, n, f, &cell));
		}
	}
	strbuf_release(&cell);
}

int hierarchy_check(const struct sort_order *order, struct err *err)
{
	bool key = false;

	for (u32 i = 0; i < order->nr_columns; i++) {
		if (order->column[i]->kind != FIELD_STAT)
			key = true;
		else if (key)
			return err_set(err, -EINVAL,
				       "--hierarchy shows numbers before keys: column '%s' comes after a key",
				       order->column[i]->name);
	}
	return 0;
}

static void own_memory(struct view *v, struct hierarchy *y)
{
	vec_push(&v->owned, y->sums);
	vec_push(&v->owned, y->mem);
	vec_push(&v->owned, y->child);
	vec_push(&v->owned, y->node.v);
	vec_push(&v->owned, y->shown.v);
	vec_push(&v->owned, y->level.v);
}

struct hierarchy *hierarchy_make(struct view *v, struct view_table *t, const struct hierarchy_rows *from)
{
	struct hierarchy *y = ARENA_NEW(&v->arena, struct hierarchy);

	y->from = *from;
	add_columns(y, t);
	make_nodes(y);
	order_children(y);
	show_children(y, y->first_top, y->nr_top, 0);
	measure(y, t);
	t->ctx = y;
	t->cell = hierarchy_cell;
	t->value = hierarchy_value;
	t->prefetch = NULL;
	t->nr_rows = y->shown.nr;
	t->level = y->level.v;
	t->nr_levels = y->nr_levels;
	own_memory(v, y);
	return y;
}

const struct hist_entry *hierarchy_entry(const struct hierarchy *y, size_t row)
{
	return y->level.v[row].note ? NULL : y->node.v[y->shown.v[row]].entry;
}
