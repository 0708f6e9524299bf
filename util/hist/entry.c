/* Entries: rows grouped by all sort keys; what callees add (children) is summed on trie nodes, not on samples. */
#include "fold.h"

#include <stdlib.h>
#include "../base/sort.h"

struct entry_maker {
	struct hist *h;
	struct hidx idx;	/* (base, elabel) -> h->entry */
	u32 *row_entry;		/* entry of each row */
	u32 *node_row, *row_next;	/* rows that end at a node, as lists; WORLD_NONE ends */
	u32 *height, *on_path;
	struct { VEC(u64); } top;	/* entry << 32 | outermost node */
};

static u32 entry_get(struct entry_maker *m, u32 base, u32 elabel)
{
	u64 hash = hash_u64((u64)base << 32 | elabel);
	u32 id;

	HIDX_FOREACH(&m->idx, hash, id)
		if (m->h->entry.v[id].elabel == elabel && m->h->entry.v[id].base == base)
			return id;
	id = m->h->entry.nr;
	vec_push(&m->h->entry, (struct hist_entry){ .base = base, .elabel = elabel });
	hidx_insert(&m->idx, hash, id);
	return id;
}

static void add_mode(struct stat_sums *s, u8 cpumode, u64 period)
{
	switch (cpumode) {
	case CPUMODE_KERNEL:
		s->period_sys += period;
		break;
	case CPUMODE_USER:
		s->period_us += period;
		break;
	case CPUMODE_GUEST_KERNEL:
		s->period_guest_sys += period;
		break;
	case CPUMODE_GUEST_USER:
		s->period_guest_us += period;
		break;
	}
}

static void add_self(struct entry_maker *m, u32 r)
{
	const struct hist_row *row = &m->h->row.v[r];
	u32 id = entry_get(m, row->base, row->elabel);
	struct hist_entry *e = &m->h->entry.v[id];

	m->row_entry[r] = id;
	e->nr_rows++;
	e->sums.nr += row->nr;
	e->sums.period += row->period;
	add_mode(&e->sums, row->cpumode, row->period);
	for (u32 i = 0; m->h->row_weight.nr && i < 3; i++)
		e->sums.weight[i] += m->h->row_weight.v[3 * r + i];
	if (!m->h->opts.children) {
		e->sums.nr_children += row->nr;
		e->sums.period_children += row->period;
	}
}

static void link_children(struct hist *h)
{
	u32 nr = h->trie.node.nr;

	h->child_first = xcalloc(nr + 2, sizeof(u32));
	h->child = xreallocarray(NULL, nr, sizeof(u32));
	for (u32 n = 1; n < nr; n++)
		h->child_first[h->trie.node.v[n].parent + 2]++;
	for (u32 n = 1; n <= nr; n++)
		h->child_first[n + 1] += h->child_first[n];
	for (u32 n = 1; n < nr; n++)
		h->child[h->child_first[h->trie.node.v[n].parent + 1]++] = n;
}

/* children have larger ids than their parents: one pass backwards sums everything up */
static void sum_trie(struct entry_maker *m)
{
	struct hist *h = m->h;
	u32 nr = h->trie.node.nr;

	h->cumul_nr = xcalloc(nr, sizeof(u64));
	h->cumul_period = xcalloc(nr, sizeof(u64));
	m->height = xcalloc(nr, sizeof(u32));
	vec_foreach(&h->row, row) {
		h->cumul_nr[row->node] += row->nr;
		h->cumul_period[row->node] += row->period;
	}
	for (u32 n = nr - 1; n > 0; n--) {
		u32 parent = h->trie.node.v[n].parent;

		h->cumul_nr[parent] += h->cumul_nr[n];
		h->cumul_period[parent] += h->cumul_period[n];
		m->height[parent] = MAX(m->height[parent], m->height[n] + 1);
	}
}

static void raise_depth(struct hist_entry *e, u32 depth)
{
	e->max_depth = MAX(e->max_depth, depth);
}

/* on the way down: a node whose label is not above it yet gives its entry all that is below it */
static void enter_node(struct entry_maker *m, u32 n, u32 base, u32 depth)
{
	struct hist *h = m->h;
	u32 elabel = h->label.v[h->trie.node.v[n].label].e, id;
	struct hist_entry *e;

	if (m->on_path[elabel]++)
		return;
	id = entry_get(m, base, elabel);
	e = &h->entry.v[id];
	vec_push(&m->top, (u64)id << 32 | n);
	e->nr_tops++;
	e->sums.nr_children += h->cumul_nr[n];
	e->sums.period_children += h->cumul_period[n];
	raise_depth(e, h->opts.chain.caller ? m->height[n] + 1 : depth);
}

/* rows whose own entry is not among the callers count for it too */
static void finish_node_rows(struct entry_maker *m, u32 n, u32 depth)
{
	for (u32 r = m->node_row[n]; r != WORLD_NONE; r = m->row_next[r]) {
		const struct hist_row *row = &m->h->row.v[r];
		struct hist_entry *e = &m->h->entry.v[m->row_entry[r]];

		raise_depth(e, depth);
		if (m->h->opts.children && !m->on_path[row->elabel]) {
			e->sums.nr_children += row->nr;
			e->sums.period_children += row->period;
		}
	}
}

static void walk_base(struct entry_maker *m, u32 base_node)
{
	struct hist *h = m->h;
	u32 base = h->trie.node.v[base_node].label, n = base_node, depth = 0;
	struct { VEC(u32); } pos = { 0 };	/* next child to visit, per level */

	finish_node_rows(m, n, 0);
	vec_push(&pos, h->child_first[n]);
	while (pos.nr) {
		if (pos.v[pos.nr - 1] < h->child_first[n + 1]) {
			n = h->child[pos.v[pos.nr - 1]++];
			depth++;
			if (h->opts.children)
				enter_node(m, n, base, depth);
			finish_node_rows(m, n, depth);
			vec_push(&pos, h->child_first[n]);
			continue;
		}
		if (h->opts.children && n != base_node)
			m->on_path[h->label.v[h->trie.node.v[n].label].e]--;
		n = h->trie.node.v[n].parent;
		depth--;
		pos.nr--;
	}
	vec_release(&pos);
}

static void walk_trie(struct entry_maker *m)
{
	struct hist *h = m->h;
	u32 nr = h->trie.node.nr;

	m->node_row = xreallocarray(NULL, nr, sizeof(u32));
	m->row_next = xreallocarray(NULL, h->row.nr + 1, sizeof(u32));
	memset(m->node_row, 0xff, nr * sizeof(u32));
	for (u32 r = 0; r < h->row.nr; r++) {
		m->row_next[r] = m->node_row[h->row.v[r].node];
		m->node_row[h->row.v[r].node] = r;
	}
	m->on_path = xcalloc(h->elabels.nr + 1, sizeof(u32));
	for (u32 i = h->child_first[0]; i < h->child_first[1]; i++)
		walk_base(m, h->child[i]);
}

static u32 entry_event(const struct hist *h, const struct hist_entry *e)
{
	return *rows_at(&h->bases, e->base);
}

/* rows and trie nodes of each entry side by side */
static void make_references(struct entry_maker *m)
{
	struct hist *h = m->h;
	u32 row = 0, top = 0;

	vec_foreach(&h->entry, e) {
		e->first_row = row;
		e->first_top = top;
		row += e->nr_rows;
		top += e->nr_tops;
		e->nr_rows = e->nr_tops = 0;
	}
	h->rowref = xreallocarray(NULL, h->row.nr + 1, sizeof(u32));
	for (u32 r = 0; r < h->row.nr; r++) {
		struct hist_entry *e = &h->entry.v[m->row_entry[r]];

		h->rowref[e->first_row + e->nr_rows++] = r;
	}
	h->topref = xreallocarray(NULL, m->top.nr + 1, sizeof(u32));
	vec_foreach(&m->top, t) {
		struct hist_entry *e = &h->entry.v[*t >> 32];

		h->topref[e->first_top + e->nr_tops++] = (u32)*t;
	}
}

/* entries of one event side by side; the common case of one event costs one pass */
static void group_by_event(struct hist *h)
{
	struct sort_pair *pair, *tmp;
	size_t first = 0;

	vec_foreach(&h->entry, e)
		h->event[entry_event(h, e)].nr_entries++;
	for (u32 i = 0; i < h->nr_events; i++) {
		h->event[i].entry = h->entry.v + first;
		first += h->event[i].nr_entries;
	}
	if (h->nr_events <= 1 || h->event[0].nr_entries == h->entry.nr)
		return;
	pair = xreallocarray(NULL, h->entry.nr, sizeof(*pair));
	tmp = xreallocarray(NULL, h->entry.nr, sizeof(*tmp));
	for (u32 i = 0; i < h->entry.nr; i++)
		pair[i] = (struct sort_pair){ entry_event(h, &h->entry.v[i]), i };
	sort_pairs(pair, tmp, h->entry.nr);
	entries_permute(h->entry.v, pair, h->entry.nr);
	free(pair);
	free(tmp);
}

u64 hist_entry_key(const struct hist *h, const struct hist_entry *e, u32 i)
{
	if (h->opts.key[i]->kind == FIELD_SLOT)
		return rows_at(&h->bases, e->base)[h->key_word[i]];
	return rows_at(&h->elabels, e->elabel)[h->key_word[i]];
}

static void number_keys(struct hist *h)
{
	u32 slot = 1, frame = 0;

	for (u32 i = 0; i < h->opts.nr_keys; i++)
		h->key_word[i] = h->opts.key[i]->kind == FIELD_SLOT ? slot++ : frame++;
}

void entries_make(struct hist *h)
{
	struct entry_maker m = { .h = h };

	number_keys(h);
	m.row_entry = xreallocarray(NULL, h->row.nr + 1, sizeof(u32));
	for (u32 r = 0; r < h->row.nr; r++)
		add_self(&m, r);
	if (h->opts.chains) {
		link_children(h);
		sum_trie(&m);
		walk_trie(&m);
	}
	hidx_release(&m.idx);
	free(m.node_row);
	free(m.row_next);
	free(m.height);
	free(m.on_path);
	make_references(&m);
	group_by_event(h);
	free(m.row_entry);
	vec_release(&m.top);
}
