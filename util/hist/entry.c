/* Entries: rows grouped by all sort keys; what callees add (children) is summed on trie nodes, not on samples. */
#include "fold.h"

#include <stdlib.h>

enum { SUM_NR, SUM_PERIOD, SUM_NR_C, SUM_PERIOD_C, SUM_SYS, SUM_US, SUM_GSYS, SUM_GUS, SUM_W1, SUM_W2, SUM_W3,
       SUM_DEPTH, SUM_ROWS, SUM_TOPS, SUM_N };

struct entry_maker {
	struct hist *h;
	struct rows entries;	/* base << 32 | elabel -> SUM_* */
	u32 *row_entry;		/* entry of each row */
	u32 *node_row, *row_next;	/* rows that end at a node, as lists; WORLD_NONE ends */
	u32 *height, *on_path;
	struct { VEC(u64); } top;	/* entry << 32 | outermost node */
};

static u64 *entry_sums(struct entry_maker *m, u32 base, u32 elabel, u32 *ret_id)
{
	u64 key = (u64)base << 32 | elabel;
	u32 id = rows_get(&m->entries, &key);

	if (ret_id)
		*ret_id = id;
	return rows_sums(&m->entries, id);
}

static void add_self(struct entry_maker *m, u32 r)
{
	const struct hist_row *row = &m->h->row.v[r];
	static const u8 by_mode[8] = { [CPUMODE_KERNEL] = SUM_SYS, [CPUMODE_USER] = SUM_US,
		[CPUMODE_GUEST_KERNEL] = SUM_GSYS, [CPUMODE_GUEST_USER] = SUM_GUS };
	u64 *sums = entry_sums(m, row->base, row->elabel, &m->row_entry[r]);

	sums[SUM_NR] += row->nr;
	sums[SUM_PERIOD] += row->period;
	if (by_mode[row->cpumode & 7])
		sums[by_mode[row->cpumode & 7]] += row->period;
	for (u32 i = 0; m->h->row_weight.nr && i < 3; i++)
		sums[SUM_W1 + i] += m->h->row_weight.v[3 * r + i];
	sums[SUM_ROWS]++;
	if (!m->h->opts.children) {
		sums[SUM_NR_C] += row->nr;
		sums[SUM_PERIOD_C] += row->period;
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

static void raise_depth(u64 *sums, u64 depth)
{
	if (depth > sums[SUM_DEPTH])
		sums[SUM_DEPTH] = depth;
}

/* on the way down: a node whose label is not above it yet gives its entry all that is below it */
static void enter_node(struct entry_maker *m, u32 n, u32 base, u32 depth)
{
	struct hist *h = m->h;
	u32 e = h->label.v[h->trie.node.v[n].label].e;

	if (!m->on_path[e]++) {
		u32 id;
		u64 *sums = entry_sums(m, base, e, &id);

		vec_push(&m->top, (u64)id << 32 | n);
		sums[SUM_TOPS]++;
		sums[SUM_NR_C] += h->cumul_nr[n];
		sums[SUM_PERIOD_C] += h->cumul_period[n];
		raise_depth(sums, h->opts.chain.caller ? m->height[n] + 1 : depth);
	}
}

/* rows whose own entry is not among the callers count for it too */
static void finish_node_rows(struct entry_maker *m, u32 n, u32 depth)
{
	for (u32 r = m->node_row[n]; r != WORLD_NONE; r = m->row_next[r]) {
		const struct hist_row *row = &m->h->row.v[r];
		u64 *sums = entry_sums(m, row->base, row->elabel, NULL);

		raise_depth(sums, depth);
		if (m->h->opts.children && !m->on_path[row->elabel]) {
			sums[SUM_NR_C] += row->nr;
			sums[SUM_PERIOD_C] += row->period;
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

/* all sort keys in order: slots from the base, frame-dependent ones from the elabel */
static void fill_key(struct hist *h, struct hist_entry *e, u64 *key)
{
	const u64 *slot = rows_at(&h->bases, e->base) + 1, *frame_key = rows_at(&h->elabels, e->elabel);

	for (u32 i = 0; i < h->opts.nr_keys; i++)
		*key++ = h->opts.key[i]->kind == FIELD_SLOT ? *slot++ : *frame_key++;
}

static void emit_entry(struct entry_maker *m, u32 id, u32 first_row, u32 first_top)
{
	struct hist *h = m->h;
	u64 packed = *rows_at(&m->entries, id), *s = rows_sums(&m->entries, id);
	u32 base = packed >> 32, event = *rows_at(&h->bases, base);
	u64 *key = h->keys.v + (size_t)id * h->opts.nr_keys;
	struct hist_entry e = {
		.event = event, .base = base, .elabel = (u32)packed, .key = key, .max_depth = s[SUM_DEPTH],
		.first_row = first_row, .nr_rows = s[SUM_ROWS],
		.first_top = first_top, .nr_tops = s[SUM_TOPS],
		.sums = { .nr = s[SUM_NR], .period = s[SUM_PERIOD], .nr_children = s[SUM_NR_C],
			  .period_children = s[SUM_PERIOD_C], .period_sys = s[SUM_SYS], .period_us = s[SUM_US],
			  .period_guest_sys = s[SUM_GSYS], .period_guest_us = s[SUM_GUS],
			  .weight = { s[SUM_W1], s[SUM_W2], s[SUM_W3] } },
	};

	fill_key(h, &e, key);
	vec_push(&h->event[event].entry, e);
}

static void emit_entries(struct entry_maker *m)
{
	struct hist *h = m->h;
	u32 *next_row = xreallocarray(NULL, m->entries.nr + 1, sizeof(u32)), row = 0;
	u32 *next_top = xreallocarray(NULL, m->entries.nr + 1, sizeof(u32)), top = 0;

	vec_reserve(&h->keys, (size_t)m->entries.nr * h->opts.nr_keys);
	for (u32 id = 0; id < m->entries.nr; id++) {
		const u64 *s = rows_sums(&m->entries, id);

		next_row[id] = row;
		next_top[id] = top;
		emit_entry(m, id, row, top);
		row += s[SUM_ROWS];
		top += s[SUM_TOPS];
	}
	h->rowref = xreallocarray(NULL, h->row.nr + 1, sizeof(u32));
	for (u32 r = 0; r < h->row.nr; r++)
		h->rowref[next_row[m->row_entry[r]]++] = r;
	h->topref = xreallocarray(NULL, m->top.nr + 1, sizeof(u32));
	vec_foreach(&m->top, t)
		h->topref[next_top[*t >> 32]++] = (u32)*t;
	free(next_row);
	free(next_top);
}

void entries_make(struct hist *h)
{
	struct entry_maker m = { .h = h };

	rows_init(&m.entries, 1, SUM_N);
	m.row_entry = xreallocarray(NULL, h->row.nr + 1, sizeof(u32));
	for (u32 r = 0; r < h->row.nr; r++)
		add_self(&m, r);
	if (h->opts.chains) {
		link_children(h);
		sum_trie(&m);
		walk_trie(&m);
	} else if (h->opts.children) {
		for (u32 id = 0; id < m.entries.nr; id++) {
			u64 *s = rows_sums(&m.entries, id);

			s[SUM_NR_C] = s[SUM_NR];
			s[SUM_PERIOD_C] = s[SUM_PERIOD];
		}
	}
	emit_entries(&m);
	rows_release(&m.entries);
	free(m.row_entry);
	free(m.node_row);
	free(m.row_next);
	free(m.height);
	free(m.on_path);
	vec_release(&m.top);
}
