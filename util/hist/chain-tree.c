/*
 * The call graph of one entry. A node that is shown stands for a set of trie nodes; its children are found by moving the whole
 * set one step (to the callers, or to the callees) and grouping by label. Groups below the threshold are dropped at once.
 */
#include "chain-tree.h"

#include <math.h>
#include <stdlib.h>
#include "../base/sort.h"

/* what of a trie node's sums belongs to the entry */
enum item_kind {
	ITEM_FIXED,	/* the numbers in the item itself (moving up) */
	ITEM_CALLED,	/* everything below the node but samples that hit the entry itself */
	ITEM_SELF,	/* only samples that hit the entry itself */
};

struct item {
	u32 node, t;	/* t: its label, HIDX_NONE until it is grouped */
	u64 nr, period;
	u8 kind;
};
struct items {
	VEC(struct item);
};

struct chain_builder {
	const struct hist *h;
	struct arena arena;
	struct { VEC(void *); } owned;
	u64 *self_nr, *self_period;	/* per trie node: the entry's own samples in the subtree */
	struct { VEC(u32); } touched;
	struct { VEC(u32); } outermost;	/* those of them whose parent is the base */
	u64 *end_nr, *end_period;	/* per trie node: samples that end exactly there */
	u64 total_period;
};

struct chain_builder *chain_builder_new(const struct hist *h)
{
	struct chain_builder *b = xcalloc(1, sizeof(*b));
	u32 nr = h->trie.node.nr;

	b->h = h;
	b->self_nr = xcalloc(nr, sizeof(u64));
	b->self_period = xcalloc(nr, sizeof(u64));
	return b;
}

void chain_builder_finish(struct chain_builder *b, struct view *view)
{
	if (!b)
		return;
	vec_push(&view->arenas, b->arena);
	vec_foreach(&b->owned, p)
		vec_push(&view->owned, *p);
	vec_release(&b->owned);
	free(b->self_nr);
	free(b->self_period);
	vec_release(&b->touched);
	vec_release(&b->outermost);
	free(b);
}

static u32 label_t(const struct hist *h, u32 node)
{
	return h->label.v[h->trie.node.v[node].label].t;
}

static bool is_base(const struct hist *h, u32 node)
{
	return !node || !h->trie.node.v[node].parent;
}

/* sums of the entry's own samples on every node above them */
static void mark_self(struct chain_builder *b, const struct hist_entry *e)
{
	const struct hist *h = b->h;

	for (u32 i = 0; i < e->nr_rows; i++) {
		const struct hist_row *row = &h->row.v[h->rowref[e->first_row + i]];

		for (u32 n = row->node; !is_base(h, n); n = h->trie.node.v[n].parent) {
			if (!b->self_nr[n]) {
				vec_push(&b->touched, n);
				if (is_base(h, h->trie.node.v[n].parent))
					vec_push(&b->outermost, n);
			}
			b->self_nr[n] += row->nr;
			b->self_period[n] += row->period;
		}
	}
}

static void unmark_self(struct chain_builder *b)
{
	vec_foreach(&b->touched, n)
		b->self_nr[*n] = b->self_period[*n] = 0;
	b->touched.nr = b->outermost.nr = 0;
}

/* the numbers of a trie node for an item that moves down */
static struct item item_down(const struct chain_builder *b, u32 node, u8 kind)
{
	const struct hist *h = b->h;

	if (kind == ITEM_SELF)
		return (struct item){ .node = node, .kind = kind, .nr = b->self_nr[node], .period = b->self_period[node] };
	return (struct item){ .node = node, .kind = kind, .nr = h->cumul_nr[node] - b->self_nr[node],
			      .period = h->cumul_period[node] - b->self_period[node] };
}

static void add_item(struct items *items, struct item it)
{
	if (it.nr)
		vec_push(items, it);
}

static void step_down(const struct chain_builder *b, const struct item *it, struct items *next)
{
	const struct hist *h = b->h;

	for (u32 i = h->child_first[it->node]; i < h->child_first[it->node + 1]; i++)
		add_item(next, item_down(b, h->child[i], it->kind));
}

static void step_up(const struct chain_builder *b, const struct item *it, struct items *next)
{
	struct item up = *it;

	up.node = b->h->trie.node.v[it->node].parent;
	if (!is_base(b->h, up.node))
		vec_push(next, up);
}

static const char *label_text(struct chain_builder *b, u32 node)
{
	const struct hist *h = b->h;
	u32 t = label_t(h, node);
	const struct named *nm = &h->names.named.v[h->opts.chain.key == CHAIN_KEY_FUNCTION ? t : h->names.named_of[t]];
	const struct frame *f = &h->names.frames.frame.v[h->opts.chain.key == CHAIN_KEY_FUNCTION ? nm->frame : t];
	struct strbuf sb = STRBUF_INIT;
	const char *text;

	if (nm->name)
		strbuf_add_safe(&sb, nm->name);
	else if (f->ip)
		strbuf_addf(&sb, "0x%lx", f->ip);
	else
		strbuf_addch(&sb, '0');
	if (nm->name && h->opts.chain.key != CHAIN_KEY_FUNCTION)
		strbuf_addf(&sb, "+0x%lx", f->addr - symbols_table(h->session->symbols, nm->dso)->sym[nm->sym].start);
	text = arena_strdup(&b->arena, strbuf_str(&sb));
	strbuf_release(&sb);
	return text;
}

static int cmp_nodes(const void *pa, const void *pb)
{
	const struct view_node *a = *(struct view_node *const *)pa, *b = *(struct view_node *const *)pb;

	if (a->period != b->period)
		return a->period < b->period ? 1 : -1;
	if (a->order != b->order)
		return a->order < b->order ? 1 : -1;
	return strcmp(a->label, b->label);
}

/* equal shares stand from the highest symbol down, bare addresses from the lowest up, as users know it */
static u64 label_order(const struct chain_builder *b, u32 node)
{
	const struct names *names = &b->h->names;
	u32 t = label_t(b->h, node), named = b->h->opts.chain.key == CHAIN_KEY_FUNCTION ? t : names->named_of[t];
	const struct named *nm = &names->named.v[named];

	if (nm->name)
		return symbols_table(b->h->session->symbols, nm->dso)->sym[nm->sym].start;
	return ~names->frames.frame.v[nm->frame].ip;
}

/* puts items with the same label side by side, in order of the labels' numbers */
static void group_items(const struct hist *h, struct items *items)
{
	struct sort_pair *pair, *tmp;
	struct item *sorted;
	bool same = true;

	vec_foreach(items, it) {
		it->t = label_t(h, it->node);
		same &= it->t == items->v[0].t;
	}
	if (same)
		return;
	pair = xreallocarray(NULL, items->nr, sizeof(*pair));
	tmp = xreallocarray(NULL, items->nr, sizeof(*tmp));
	sorted = xreallocarray(NULL, items->nr, sizeof(*sorted));
	for (u32 i = 0; i < items->nr; i++)
		pair[i] = (struct sort_pair){ items->v[i].t, i };
	sort_pairs(pair, tmp, items->nr);
	for (u32 i = 0; i < items->nr; i++)
		sorted[i] = items->v[pair[i].val];
	free(items->v);
	items->v = sorted;
	items->alloc = items->nr;
	free(pair);
	free(tmp);
}

static void build_level(struct chain_builder *b, struct view_node *parent, struct items *items, u32 depth);

static void build_group(struct chain_builder *b, struct view_node *parent, const struct item *it, size_t nr, u64 min,
			u32 depth)
{
	struct view_node *node;
	struct items next = { 0 };
	u64 sum_nr = 0, sum_period = 0, below_nr = 0, below_period = 0;

	for (size_t i = 0; i < nr; i++) {
		sum_nr += it[i].nr;
		sum_period += it[i].period;
	}
	if (sum_period < min || !sum_nr)
		return;
	node = ARENA_NEW(&b->arena, struct view_node);
	node->label = label_text(b, it->node);
	node->order = label_order(b, it->node);
	node->nr = sum_nr;
	node->period = sum_period;
	vec_push(&parent->child, node);
	for (size_t i = 0; i < nr; i++) {
		if (it[i].kind == ITEM_FIXED)
			step_up(b, &it[i], &next);
		else
			step_down(b, &it[i], &next);
	}
	vec_foreach(&next, n) {
		below_nr += n->nr;
		below_period += n->period;
	}
	node->self_nr = sum_nr - below_nr;
	node->self_period = sum_period - below_period;
	build_level(b, node, &next, depth + 1);
	vec_release(&next);
}

/*
 * The smallest period that is shown below a node that has so much. Shares of the whole lose their fraction, shares of the
 * parent (of what lies below it) are rounded up, as upstream has it: visible where periods are small.
 */
static u64 min_period(const struct chain_builder *b, const struct view_node *parent)
{
	double share = b->h->opts.chain.min_percent / 100.0;

	if (b->h->opts.chain.mode == CHAIN_MODE_FRACTAL)
		return (u64)ceil((parent->period - parent->self_period) * share);
	return (u64)(b->total_period * share);
}

static void build_level(struct chain_builder *b, struct view_node *parent, struct items *items, u32 depth)
{
	u64 min = min_period(b, parent);
	size_t start = 0;

	if (!items->nr)
		return;
	group_items(b->h, items);
	for (size_t i = 1; i <= items->nr; i++) {
		if (i < items->nr && items->v[i].t == items->v[start].t)
			continue;
		build_group(b, parent, items->v + start, i - start, min, depth);
		start = i;
	}
	if (parent->child.nr > 1)
		qsort(parent->child.v, parent->child.nr, sizeof(*parent->child.v), cmp_nodes);
	if (parent->child.nr)
		vec_push(&b->owned, parent->child.v);
}

static void start_down(struct chain_builder *b, const struct hist_entry *e, struct items *items)
{
	const struct hist *h = b->h;

	for (u32 i = 0; i < e->nr_tops; i++)
		add_item(items, item_down(b, h->topref[e->first_top + i], ITEM_CALLED));
	vec_foreach(&b->outermost, n)
		add_item(items, item_down(b, *n, ITEM_SELF));
}

static void start_up_self(const struct chain_builder *b, const struct hist_entry *e, struct items *items)
{
	for (u32 i = 0; i < e->nr_rows; i++) {
		const struct hist_row *row = &b->h->row.v[b->h->rowref[e->first_row + i]];

		if (!is_base(b->h, row->node))
			vec_push(items, (struct item){ .node = row->node, .kind = ITEM_FIXED, .nr = row->nr, .period = row->period });
	}
}

/* below an outermost node n: what goes through each innermost node with the entry's label, samples of the entry itself apart */
static void collect_innermost(const struct chain_builder *b, u32 n, u32 elabel, struct items *items)
{
	const struct hist *h = b->h;
	struct { VEC(u32); } todo = { 0 };
	size_t first = items->nr;

	vec_push(&todo, n);
	while (todo.nr) {
		u32 node = todo.v[--todo.nr];
		struct item it = item_down(b, node, ITEM_CALLED);
		bool same = h->label.v[h->trie.node.v[node].label].e == elabel;

		for (u32 i = h->child_first[node]; i < h->child_first[node + 1]; i++)
			if (h->cumul_nr[h->child[i]])
				vec_push(&todo, h->child[i]);
		if (!same || !it.nr)
			continue;
		it.kind = ITEM_FIXED;
		vec_push(items, it);
		/* what is counted here is taken from the nearest node of the same label above */
		for (u32 up = h->trie.node.v[node].parent; !is_base(h, up) && node != n; up = h->trie.node.v[up].parent) {
			if (h->label.v[h->trie.node.v[up].label].e != elabel)
				continue;
			for (size_t i = first; i < items->nr; i++) {
				if (items->v[i].node == up) {
					items->v[i].nr -= it.nr;
					items->v[i].period -= it.period;
				}
			}
			break;
		}
	}
	vec_release(&todo);
}

static bool reaches_threshold(const struct chain_builder *b, const struct hist_entry *e)
{
	return (b->h->opts.children ? e->sums.period_children : e->sums.period) >= min_period(b, 0);
}

struct view_node *chain_tree(struct chain_builder *b, const struct hist_entry *e, u64 total_period)
{
	const struct hist *h = b->h;
	struct view_node *root;
	struct items items = { 0 };

	b->total_period = total_period;
	if (h->opts.chain.mode != CHAIN_MODE_FRACTAL && !reaches_threshold(b, e))
		return NULL;
	root = ARENA_NEW(&b->arena, struct view_node);
	root->period = h->opts.children ? e->sums.period_children : e->sums.period;
	mark_self(b, e);
	if (h->opts.chain.caller) {
		start_down(b, e, &items);
	} else {
		start_up_self(b, e, &items);
		for (u32 i = 0; i < e->nr_tops; i++)
			collect_innermost(b, h->topref[e->first_top + i], e->elabel, &items);
	}
	root->nr = 0;
	vec_foreach(&items, it)
		root->nr += it->nr;
	build_level(b, root, &items, 0);
	unmark_self(b);
	vec_release(&items);
	return root->child.nr ? root : NULL;
}
