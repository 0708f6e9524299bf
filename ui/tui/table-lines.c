/* Table lines: rows that pass, and the nodes below them. */
#include "table-lines.h"

#include <stdlib.h>
#include <string.h>
#include "../../util/base/strbuf.h"
#include "../../util/base/search.h"

#define MAX_DEPTH 64u

void table_lines_init(struct table_lines *l, const struct view_table *t)
{
	*l = (struct table_lines){ .t = t };
	l->open = xcalloc(t->nr_rows + 1, 1);
	table_lines_update(l);
}

void table_lines_release(struct table_lines *l)
{
	for (u32 i = 0; i < l->nr_filters; i++)
		free(l->filter[i].text);
	free(l->open);
	free(l->small);
	vec_release(&l->row);
	vec_release(&l->first);
	vec_release(&l->node);
	vec_release(&l->toggled);
	hidx_release(&l->toggled_idx);
}

/* ---- filters ---- */

static const char *without_blanks(const char *s)
{
	while (*s == ' ')
		s++;
	return s;
}

static bool cell_passes(const struct table_filter *f, struct strbuf *cell)
{
	const char *text;
	size_t len;

	while (cell->len && cell->buf[cell->len - 1] == ' ')
		strbuf_setlen(cell, cell->len - 1);
	text = without_blanks(strbuf_str(cell));
	len = strlen(f->text);
	if (f->contains)
		return strcasestr(text, f->text) != NULL;
	return f->prefix ? !strncmp(text, f->text, len) : !strcmp(text, f->text);
}

static bool row_passes(const struct view_table *t, const struct table_filter *f, size_t row,
		       struct strbuf *cell)
{
	u32 column = f->column;

	if (t->nr_levels) {	/* a row of a tree has only the key of its level */
		u32 key = (u32)t->column.nr - t->nr_levels + t->level[row].depth;

		if (t->level[row].note || (!f->contains && f->column != key))
			return false;
		column = key;
	}
	strbuf_reset(cell);
	t->cell(t, row, column, cell);
	return cell_passes(f, cell);
}

/* of a tree: rows that pass, what is below them, and what they are below of */
static void filter_rows(const struct view_table *t, const struct table_filter *f, u8 *pass,
			struct strbuf *cell)
{
	bool below[MAX_DEPTH + 1] = { false };
	u32 passed = UINT32_MAX;	/* depth of the row above that passed */

	for (size_t r = 0; r < t->nr_rows; r++) {
		u32 depth = t->nr_levels ? t->level[r].depth : 0;

		if (t->prefetch)
			t->prefetch(t, r);
		if (depth <= passed)
			passed = UINT32_MAX;
		pass[r] = passed != UINT32_MAX || row_passes(t, f, r, cell);
		if (pass[r] && passed == UINT32_MAX && t->nr_levels)
			passed = depth;
	}
	for (size_t r = t->nr_rows; t->nr_levels && r-- > 0;) {
		u32 depth = MIN((u32)t->level[r].depth, MAX_DEPTH - 1);

		pass[r] |= below[depth + 1];
		below[depth + 1] = false;
		below[depth] |= pass[r];
	}
}

static u8 *passing_rows(const struct table_lines *l)
{
	size_t nr = l->t->nr_rows;
	u8 *all = xcalloc(nr + 1, 1), *pass = xcalloc(nr + 1, 1);
	struct strbuf cell = STRBUF_INIT;

	memset(all, 1, nr);
	for (u32 i = 0; i < l->nr_filters; i++) {
		filter_rows(l->t, &l->filter[i], pass, &cell);
		for (size_t r = 0; r < nr; r++)
			all[r] &= pass[r];
	}
	free(pass);
	strbuf_release(&cell);
	return all;
}

static bool same_filter(const struct table_filter *a, const struct table_filter *b)
{
	return a->column == b->column && a->contains == b->contains;
}

void table_lines_filter(struct table_lines *l, const struct table_filter *f)
{
	u32 i = 0;

	while (i < l->nr_filters && !same_filter(&l->filter[i], f))
		i++;
	if (i == TABLE_MAX_FILTERS)
		return;
	if (i < l->nr_filters) {
		free(l->filter[i].text);
		memmove(&l->filter[i], &l->filter[i + 1], (--l->nr_filters - i) * sizeof(*l->filter));
	}
	if (*f->text) {
		l->filter[l->nr_filters] = *f;
		l->filter[l->nr_filters++].text = xstrdup(f->text);
	}
	table_lines_update(l);
}

bool table_lines_pop_filter(struct table_lines *l)
{
	if (!l->nr_filters)
		return false;
	free(l->filter[--l->nr_filters].text);
	table_lines_update(l);
	return true;
}

void table_lines_hide(struct table_lines *l, u8 *small)
{
	free(l->small);
	l->small = small;
	table_lines_update(l);
}

/* ---- nodes ---- */

static u32 toggled_id(const struct table_lines *l, const struct view_node *n)
{
	u32 id;

	HIDX_FOREACH(&l->toggled_idx, hash_u64((u64)(uintptr_t)n), id)
		if (l->node.v[id] == n)
			return id;
	return HIDX_NONE;
}

static bool node_is_open(const struct table_lines *l, const struct view_node *n)
{
	u32 id = toggled_id(l, n);

	return l->nodes_open ^ (id != HIDX_NONE && l->toggled.v[id]);
}

static void node_set_open(struct table_lines *l, const struct view_node *n, bool open)
{
	u32 id = toggled_id(l, n);

	if (id == HIDX_NONE) {
		id = (u32)l->node.nr;
		hidx_insert(&l->toggled_idx, hash_u64((u64)(uintptr_t)n), id);
		vec_push(&l->node, n);
		vec_push(&l->toggled, false);
	}
	l->toggled.v[id] = open != l->nodes_open;
}

/* a node and its only child are one run where no sample is lost between them */
static bool is_run(const struct view_node *n)
{
	return n->child.nr == 1 && n->child.v[0]->nr == n->nr;
}

/* counts the lines of a graph up to the one that is wanted, which becomes *ret */
struct graph_walk {
	const struct table_lines *l;
	u32 row;
	u64 line, want;
	struct table_line *ret;
};

static void walk_line(struct graph_walk *w, const struct table_line *line)
{
	if (w->ret && w->line == w->want)
		*w->ret = *line;
	w->line++;
}

/* the first node of a run opens and closes all of it, and shows what is below its end */
static void walk_children(struct graph_walk *w, const struct view_node *parent, u32 depth)
{
	for (size_t i = 0; i < parent->child.nr && !(w->ret && w->line > w->want); i++) {
		const struct view_node *n = parent->child.v[i];
		struct table_line line = { .row = w->row, .node = n, .parent = parent, .depth = depth,
					   .can_open = n->child.nr, .is_open = node_is_open(w->l, n) };

		walk_line(w, &line);
		if (!line.is_open)
			continue;
		line.can_open = line.is_open = false;
		line.run = true;
		while (is_run(n)) {
			line.node = n = n->child.v[0];
			walk_line(w, &line);
		}
		walk_children(w, n, depth + 1);
	}
}

static u64 graph_lines(const struct table_lines *l, u32 row)
{
	struct graph_walk w = { .l = l, .row = row };

	if (l->t->tree && l->t->tree[row])
		walk_children(&w, l->t->tree[row], 0);
	return w.line;
}

/* ---- lines ---- */

static bool has_rows_below(const struct view_table *t, size_t row)
{
	return t->nr_levels && row + 1 < t->nr_rows && t->level[row + 1].depth > t->level[row].depth;
}

static bool has_graph(const struct view_table *t, size_t row)
{
	return t->tree && t->tree[row] && t->tree[row]->child.nr;
}

void table_lines_update(struct table_lines *l)
{
	const struct view_table *t = l->t;
	u8 *pass = passing_rows(l);
	u32 closed = UINT32_MAX;	/* depth of the closed row above */
	u64 line = 0;

	l->row.nr = l->first.nr = 0;
	for (size_t r = 0; r < t->nr_rows; r++) {
		u32 depth = t->nr_levels ? t->level[r].depth : 0;

		if (t->nr_levels && depth > closed)
			continue;
		closed = UINT32_MAX;
		if (has_rows_below(t, r) && !l->open[r])
			closed = depth;
		if (!pass[r] || (l->small && l->small[r]))
			continue;
		vec_push(&l->row, (u32)r);
		vec_push(&l->first, line);
		line += 1 + (l->open[r] && has_graph(t, r) ? graph_lines(l, (u32)r) : 0);
	}
	vec_push(&l->first, line);
	free(pass);
}

u64 table_lines_nr(const struct table_lines *l)
{
	return l->first.v[l->row.nr];
}

/* the shown row with that line */
static size_t find_row(const struct table_lines *l, u64 at)
{
	size_t low = 0, high = l->row.nr;

	while (high - low > 1) {
		size_t mid = (low + high) / 2;

		if (l->first.v[mid] <= at)
			low = mid;
		else
			high = mid;
	}
	return low;
}

struct table_line table_lines_at(const struct table_lines *l, u64 at)
{
	size_t i = find_row(l, at);
	u32 row = l->row.v[i];
	struct table_line line = { .row = row, .can_open = has_rows_below(l->t, row) || has_graph(l->t, row),
				   .is_open = l->open[row] };

	if (at > l->first.v[i]) {
		struct graph_walk w = { .l = l, .row = row, .want = at - l->first.v[i] - 1, .ret = &line };

		walk_children(&w, l->t->tree[row], 0);
	}
	return line;
}

u64 table_lines_of_row(const struct table_lines *l, u32 row)
{
	size_t low = LOWER_BOUND(l->row.nr, i, l->row.v[i] < row);

	return low < l->row.nr && l->row.v[low] == row ? l->first.v[low] : HIDX_NONE;
}

bool table_lines_toggle(struct table_lines *l, u64 at)
{
	struct table_line line = table_lines_at(l, at);

	if (!line.can_open)
		return false;
	if (line.node)
		node_set_open(l, line.node, !line.is_open);
	else
		l->open[line.row] = !line.is_open;
	table_lines_update(l);
	return true;
}

static void set_nodes(struct table_lines *l, const struct view_node *n, bool open)
{
	vec_foreach(&n->child, c) {
		if ((*c)->child.nr)
			node_set_open(l, *c, open);
		set_nodes(l, *c, open);
	}
}

void table_lines_toggle_all_below(struct table_lines *l, u64 at)
{
	const struct view_table *t = l->t;
	u32 row = table_lines_at(l, at).row;
	bool open = !l->open[row];

	l->open[row] = open;
	if (has_graph(t, row))
		set_nodes(l, t->tree[row], open);
	for (size_t r = row + 1; has_rows_below(t, row) && r < t->nr_rows; r++) {
		if (t->level[r].depth <= t->level[row].depth)
			break;
		l->open[r] = open;
	}
	table_lines_update(l);
}

void table_lines_toggle_below(struct table_lines *l, u64 at)
{
	struct table_line line = table_lines_at(l, at);

	if (!line.node) {
		table_lines_toggle_all_below(l, at);
		return;
	}
	if (line.node->child.nr)
		node_set_open(l, line.node, !line.is_open);
	set_nodes(l, line.node, !line.is_open);
	table_lines_update(l);
}

void table_lines_set_all(struct table_lines *l, bool open)
{
	memset(l->open, open, l->t->nr_rows);
	l->nodes_open = open;
	hidx_release(&l->toggled_idx);
	l->toggled_idx = (struct hidx){ 0 };
	l->node.nr = l->toggled.nr = 0;
	table_lines_update(l);
}

/* ---- another copy of the table ---- */

static u64 node_key(u64 parent, const struct view_node *n)
{
	return hash_mix(parent, hash_str(n->label ? n->label : ""));
}

static void note_toggled(const struct table_lines *l, const struct view_node *parent, u64 parent_key,
			 struct hidx *keys)
{
	vec_foreach(&parent->child, c) {
		u64 key = node_key(parent_key, *c);
		u32 id = toggled_id(l, *c);

		if (id != HIDX_NONE && l->toggled.v[id])
			hidx_insert(keys, key, 0);
		note_toggled(l, *c, key, keys);
	}
}

static bool has_key(const struct hidx *keys, u64 key)
{
	u32 id;

	HIDX_FOREACH(keys, key, id)
		return true;
	return false;
}

static void toggle_noted(struct table_lines *l, const struct view_node *parent, u64 parent_key,
			 const struct hidx *keys)
{
	vec_foreach(&parent->child, c) {
		u64 key = node_key(parent_key, *c);

		if (has_key(keys, key))
			node_set_open(l, *c, !l->nodes_open);
		toggle_noted(l, *c, key, keys);
	}
}

static u64 hash_of_cell(const struct view_table *t, size_t row, u32 column, struct strbuf *sb)
{
	strbuf_reset(sb);
	t->cell(t, row, column, sb);
	while (sb->len && sb->buf[sb->len - 1] == ' ')	/* cells can be padded */
		strbuf_setlen(sb, sb->len - 1);
	return hash_str(strbuf_str(sb));
}

u64 *table_row_keys(const struct view_table *t)
{
	u64 *key = xcalloc(t->nr_rows + 1, sizeof(*key)), above[MAX_DEPTH + 1] = { 0 };
	struct strbuf sb = STRBUF_INIT;

	for (size_t r = 0; r < t->nr_rows; r++) {
		u32 depth = t->nr_levels ? MIN((u32)t->level[r].depth, MAX_DEPTH - 1) : 0;

		if (t->nr_levels)	/* its name, below those of the rows above it */
			key[r] = hash_mix(above[depth], hash_of_cell(t, r, (u32)t->column.nr - t->nr_levels +
								     depth, &sb));
		for (u32 i = 0; i < t->column.nr && !t->nr_levels; i++)
			if (t->column.v[i].type == VIEW_TEXT)
				key[r] = hash_mix(key[r], hash_of_cell(t, r, i, &sb));
		above[depth + 1] = key[r];
	}
	strbuf_release(&sb);
	return key;
}

void table_lines_open_as(struct table_lines *l, const u64 *key, const struct table_lines *old,
			 const u64 *old_key)
{
	struct hidx rows = { 0 }, nodes = { 0 };

	for (size_t r = 0; r < old->t->nr_rows; r++) {
		if (old->open[r])
			hidx_insert(&rows, old_key[r], 0);
		if (old->node.nr && has_graph(old->t, r))
			note_toggled(old, old->t->tree[r], old_key[r], &nodes);
	}
	l->nodes_open = old->nodes_open;
	for (size_t r = 0; r < l->t->nr_rows && (rows.nr || nodes.nr); r++) {
		l->open[r] = has_key(&rows, key[r]);
		if (nodes.nr && has_graph(l->t, r))
			toggle_noted(l, l->t->tree[r], key[r], &nodes);
	}
	hidx_release(&rows);
	hidx_release(&nodes);
}
