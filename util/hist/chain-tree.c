/*
 * The call graph of one entry. A node that is shown stands for a set of trie nodes; its children are found by
 * moving the whole set one step towards the root and grouping it by label. Groups below the threshold are
 * dropped at once.
 */
#include "chain-tree.h"

#include <math.h>
#include <stdlib.h>
#include "../base/sort.h"
#include "branch-history.h"
#include "line-labels.h"
#include "paths.h"

struct item {
	u32 node, t;	/* t: by what its label is compared */
	u32 end;	/* the node with which its path began */
	u64 nr, period;
};
struct items {
	VEC(struct item);
};

struct chain_builder {
	const struct hist *h;
	struct arena arena;
	struct strbuf scratch;
	struct { VEC(void *); } owned;
	u64 total_period;
	const struct hist_entry *entry;
	struct { VEC(struct view_slot); } slot;
};

struct chain_builder *chain_builder_new(const struct hist *h)
{
	struct chain_builder *b = xcalloc_aligned(1, sizeof(*b));

	b->h = h;
	return b;
}

void chain_builder_finish(struct chain_builder *b, struct view *view)
{
	if (!b)
		return;
	vec_push(&view->arenas, b->arena);
	strbuf_release(&b->scratch);
	vec_foreach(&b->owned, p)
		vec_push(&view->owned, *p);
	vec_release(&b->owned);
	vec_release(&b->slot);
	free(b);
}

static u32 label_t(const struct hist *h, u32 node)
{
	u32 label = h->trie.node.v[node].label;

	return label == PATHS_COLD ? PATHS_COLD : hist_label_text(h, label);
}

/* adds an item for the continuation of the path; a sample_key, where paths start, is not a label */
static void add_item(const struct chain_builder *b, struct items *items, u32 node, u32 end, u64 nr,
		     u64 period)
{
	if (nr && node && b->h->trie.node.v[node].parent)
		vec_push(items, (struct item){ .node = node, .t = label_t(b->h, node), .end = end,
					       .nr = nr, .period = period });
}

static const struct named *named_at(const struct hist *h, u32 node)
{
	const struct names *names = &h->names;
	u32 t = label_t(h, node);

	return &names->named.v[h->opts.chain.key == CHAIN_KEY_FUNCTION ? t : names->named_of[t]];
}

/* a frame that stands for missing callers, see STACK_END_IP(); else NULL */
static const char *end_name(const struct frame *f)
{
	return f->dso == ID_NONE && f->cpumode == CPUMODE_USER ? stack_end_frame_name(f->addr) : NULL;
}

/* a name with the line in that function: "weigh shop.c:14 (inlined)" */
static void add_name_and_line(const struct hist *h, u32 frame, const char *name, struct strbuf *out)
{
	const char *inlined = frame < h->names.nr_plain ? NULL : strrchr(name, ' ');
	struct strbuf own = STRBUF_INIT;

	if (!inlined || strcmp(inlined, " (inlined)"))
		inlined = name + strlen(name);
	strbuf_add(&own, name, inlined - name);
	strbuf_add_safe(out, strbuf_str(&own));
	line_label(h, frame, out);
	strbuf_addstr(out, inlined);
	strbuf_release(&own);
}

void chain_node_text(const struct hist *h, u32 node, struct strbuf *out)
{
	u32 t = label_t(h, node);
	const struct named *nm = named_at(h, node);
	const struct frame *f = &h->names.frame.v[h->opts.chain.key == CHAIN_KEY_FUNCTION ? nm->frame : t];

	if (nm->name && h->opts.chain.key != CHAIN_KEY_FUNCTION)
		add_name_and_line(h, t, nm->name, out);
	else if (nm->name)
		strbuf_add_safe(out, nm->name);
	else if (end_name(f))
		strbuf_addstr(out, end_name(f));
	else if (f->ip)
		strbuf_addf(out, "0x%lx", f->ip);
	else
		strbuf_addch(out, '0');
}

/* most nodes show a name as it is: it lives as long as the histogram */
static const char *label_text(struct chain_builder *b, u32 node)
{
	const char *name = named_at(b->h, node)->name;

	strbuf_reset(&b->scratch);
	chain_node_text(b->h, node, &b->scratch);
	if (name && !strcmp(name, strbuf_str(&b->scratch)))
		return name;
	return arena_strdup(&b->arena, strbuf_str(&b->scratch));
}

static int cmp_nodes(const void *pa, const void *pb)
{
	const struct view_node *a = *(struct view_node *const *)pa, *b = *(struct view_node *const *)pb;
	int ret;

	if (a->period != b->period)
		return a->period < b->period ? 1 : -1;
	if (a->order != b->order)
		return a->order < b->order ? 1 : -1;
	ret = strcmp(a->label, b->label);
	return ret ? ret : (a->file > b->file) - (a->file < b->file);
}

/*
 * equal shares are shown from the highest address without symbol to the lowest, then from the highest symbol
 * to the lowest
 */
static u64 label_order(const struct chain_builder *b, u32 node)
{
	const struct named *nm = named_at(b->h, node);

	if (nm->name)
		return symbols_table(b->h->session->symbols, nm->dso)->sym[nm->sym].start >> 1;
	return 1ull << 63 | b->h->names.frame.v[nm->frame].addr >> 1;
}

/* groups items with the same label, in the order of the labels' numbers */
static void group_items(struct items *items)
{
	struct sort_pair *pair, *tmp;
	struct item *sorted;
	bool same = true;

	vec_foreach(items, it)
		same &= it->t == items->v[0].t;
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

static void set_module(const struct chain_builder *b, struct view_node *node)
{
	const struct dso *dso = node->file == ID_NONE ? NULL :
				dsos_at(machine_dsos(b->h->session->machine), node->file);

	if (!dso)
		return;
	node->module = dso->short_name;
	node->kernel = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE || dso->kind == DSO_BPF ||
		       dso->kind == DSO_GUEST_KERNEL || dso->kind == DSO_GUEST_MODULE;
}

/* how the branches of a node were predicted */
static const char *note_text(struct chain_builder *b, const struct item *it, size_t nr)
{
	const struct hist *h = b->h;
	struct history_note note = { 0 };

	if (!h->opts.history_notes)
		return NULL;
	for (size_t i = 0; i < nr; i++)
		history_note_add(&note, h->label.v[h->trie.node.v[it[i].node].label].mark, it[i].nr);
	strbuf_reset(&b->scratch);
	history_note_text(&note, &b->scratch);
	return b->scratch.len ? arena_strdup(&b->arena, strbuf_str(&b->scratch)) : NULL;
}

/* when the paths that end at a node were taken */
static void add_slots(struct chain_builder *b, struct view_node *node, const struct item *it, size_t nr)
{
	const struct trie_node *v = b->h->trie.node.v;
	struct view_slot *slot;
	u32 nr_slots;

	if (!b->h->opts.time.nr_columns)
		return;
	b->slot.nr = 0;
	for (size_t i = 0; i < nr; i++) {
		const struct view_slot *s;
		u32 parent = v[it[i].node].parent;

		if (v[parent].label == PATHS_COLD)	/* the stack was cut here */
			parent = v[parent].parent;
		if (v[parent].parent)
			continue;
		s = hist_slots_find(&b->h->slots, hist_entry_row(b->entry), it[i].end, &nr_slots);
		for (u32 k = 0; k < nr_slots; k++)
			vec_push(&b->slot, s[k]);
	}
	node->nr_slots = b->slot.nr;
	if (!b->slot.nr)
		return;
	node->slot = slot = arena_alloc(&b->arena, b->slot.nr * sizeof(*slot));
	memcpy(slot, b->slot.v, b->slot.nr * sizeof(*slot));
}

static void build_level(struct chain_builder *b, struct view_node *parent, struct items *items);

static void build_group(struct chain_builder *b, struct view_node *parent, const struct item *it, size_t nr,
			u64 min)
{
	struct view_node *node;
	struct items next = { 0 };
	u64 sum_nr = 0, sum_period = 0, below_nr = 0, below_period = 0;

	for (size_t i = 0; i < nr; i++) {
		sum_nr += it[i].nr;
		sum_period += it[i].period;
	}
	if (it->t == PATHS_COLD || sum_period < min || !sum_nr)
		return;
	node = ARENA_NEW(&b->arena, struct view_node);
	node->label = label_text(b, it->node);
	node->note = note_text(b, it, nr);
	node->order = label_order(b, it->node);
	node->file = named_at(b->h, it->node)->dso;
	node->unnamed = !named_at(b->h, it->node)->name &&
			!end_name(&b->h->names.frame.v[named_at(b->h, it->node)->frame]);
	set_module(b, node);
	node->nr = sum_nr;
	node->period = sum_period;
	vec_push(&parent->child, node);
	vec_reserve(&next, nr);
	for (size_t i = 0; i < nr; i++)
		add_item(b, &next, b->h->trie.node.v[it[i].node].parent, it[i].end, it[i].nr,
			 it[i].period);
	vec_foreach(&next, n) {
		below_nr += n->nr;
		below_period += n->period;
	}
	node->self_nr = sum_nr - below_nr;
	node->self_period = sum_period - below_period;
	add_slots(b, node, it, nr);
	build_level(b, node, &next);
	vec_release(&next);
}

/*
 * The smallest period that is shown below a node of this period. Shares of the whole are rounded down, shares
 * of the parent (of what is below it) are rounded up, as upstream does: this is visible if periods are small.
 */
static u64 min_period(const struct chain_builder *b, const struct view_node *parent)
{
	if (b->h->opts.chain.mode == CHAIN_MODE_FRACTAL)
		return (u64)ceil((parent->period - parent->self_period) *
				 (b->h->opts.chain.min_percent / 100.0));
	return paths_min_period(b->h, b->total_period);
}

static void build_level(struct chain_builder *b, struct view_node *parent, struct items *items)
{
	u64 min = min_period(b, parent);
	size_t start = 0;

	if (!items->nr)
		return;
	group_items(items);
	for (size_t i = 1; i <= items->nr; i++) {
		if (i < items->nr && items->v[i].t == items->v[start].t)
			continue;
		build_group(b, parent, items->v + start, i - start, min);
		start = i;
	}
	if (parent->child.nr > 1)
		qsort(parent->child.v, parent->child.nr, sizeof(*parent->child.v), cmp_nodes);
	if (parent->child.nr)
		vec_push(&b->owned, parent->child.v);
}

struct view_node *chain_tree(struct chain_builder *b, const struct hist_entry *e, u64 total_period)
{
	const struct hist *h = b->h;
	struct view_node *root;
	struct items items = { 0 };

	b->total_period = total_period;
	b->entry = e;
	if (h->opts.chain.mode != CHAIN_MODE_FRACTAL &&
	    e->period_children < paths_min_period(h, total_period))
		return NULL;
	root = ARENA_NEW(&b->arena, struct view_node);
	root->period = e->period_children;
	for (u32 i = 0; i < e->nr_items; i++) {
		const struct hist_item *it = &h->item.v[e->first_item + i];

		add_item(b, &items, it->node, it->node, it->nr, it->period);
		root->nr += it->nr;
	}
	build_level(b, root, &items);
	vec_release(&items);
	return root->child.nr ? root : NULL;
}
