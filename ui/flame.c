/* Flame: merging trees by name; pruning. */
#include "flame.h"

#include <stdlib.h>

static u32 child_of(struct flame *f, u32 parent, u32 name, u32 module, bool kernel)
{
	u64 hash = hash_mix(hash_mix(hash_u64(parent), name), module);
	u32 id;

	HIDX_FOREACH(&f->idx, hash, id)
		if (f->node.v[id].parent == parent && f->node.v[id].name == name &&
		    f->node.v[id].module == module)
			return id;
	hidx_insert(&f->idx, hash, f->node.nr);
	vec_push(&f->node, (struct flame_node){ .name = name, .module = module, .parent = parent,
						.kernel = kernel, .depth = f->node.v[parent].depth + 1 });
	return f->node.nr - 1;
}

/* addresses of one library are one frame: each alone says nothing */
static u32 name_of(struct flame *f, const struct view_node *n)
{
	struct strbuf sb = STRBUF_INIT;
	u32 id;

	if (!n->unnamed)
		return strtab_add(&f->text, n->label);
	if (n->module && *n->module == '[')
		return strtab_add(&f->text, n->module);
	strbuf_addf(&sb, "[%s]", n->module ? n->module : "unknown");
	id = strtab_add(&f->text, strbuf_str(&sb));
	strbuf_release(&sb);
	return id;
}

/* returns the period of what is below n */
static u64 add_tree(struct flame *f, u32 parent, const struct view_node *n)
{
	u64 below = 0;

	vec_foreach(&n->child, c) {
		u32 module = (*c)->module ? strtab_add(&f->text, (*c)->module) : 0;
		u32 id = child_of(f, parent, name_of(f, *c), module, (*c)->kernel);

		f->node.v[id].total += (*c)->period;
		f->node.v[id].self += (*c)->self_period;
		add_tree(f, id, *c);
		below += (*c)->period;
	}
	return below;
}

static u32 period_column(const struct view_table *t)
{
	for (u32 i = 0; i < t->column.nr; i++)
		if (!strcmp(t->column.v[i].name, "period"))
			return i;
	return FLAME_NONE;
}

static void cell_text(const struct view_table *t, size_t row, u32 column, struct strbuf *scratch,
		      struct strbuf *out)
{
	struct view_value v;

	strbuf_reset(scratch);
	strbuf_reset(out);
	t->value(t, row, column, 0, scratch, &v);
	if (v.type == VIEW_ABSENT)
		strbuf_addstr(out, "[unknown]");
	else
		view_value_text(&v, 2, out);
}

static void add_row(struct flame *f, const struct view_table *t, size_t row, u32 period, struct strbuf *text,
		    struct strbuf *scratch)
{
	struct view_value v;
	u64 total, below = 0;
	u32 node = 0;

	strbuf_reset(scratch);
	t->value(t, row, period, 0, scratch, &v);
	total = v.type == VIEW_NUMBER ? v.number : 0;
	if (!total)
		return;		/* only a caller */
	f->node.v[0].total += total;
	for (u32 i = period + 1; i < t->column.nr; i++) {
		cell_text(t, row, i, scratch, text);
		node = child_of(f, node, strtab_add(&f->text, strbuf_str(text)), 0, false);
		f->node.v[node].total += total;
	}
	if (t->tree && t->tree[row])
		below = add_tree(f, node, t->tree[row]);
	f->node.v[node].self += total - MIN(below, total);
}

bool flame_make(struct flame *f, const struct view_table *t)
{
	struct strbuf text = STRBUF_INIT, scratch = STRBUF_INIT;
	u32 period = period_column(t);

	*f = (struct flame){ 0 };
	strtab_add(&f->text, "");
	vec_push(&f->node, (struct flame_node){ .name = strtab_add(&f->text, "all"), .parent = FLAME_NONE });
	if (period == FLAME_NONE || !t->value)
		return false;
	for (size_t row = 0; row < t->nr_rows; row++)
		add_row(f, t, row, period, &text, &scratch);
	strbuf_release(&text);
	strbuf_release(&scratch);
	return true;
}

void flame_release(struct flame *f)
{
	strtab_release(&f->text);
	vec_release(&f->node);
	hidx_release(&f->idx);
}

static int cmp_u64_down(const void *pa, const void *pb)
{
	u64 a = *(const u64 *)pa, b = *(const u64 *)pb;

	return a < b ? 1 : a > b ? -1 : 0;
}

/* a child is never larger than its parent, so this cuts whole branches */
static u64 threshold(const struct flame *f, size_t max, u64 min)
{
	u64 *total;

	if (f->node.nr <= max)
		return min;
	total = xreallocarray(NULL, f->node.nr, sizeof(*total));
	for (size_t i = 0; i < f->node.nr; i++)
		total[i] = f->node.v[i].total;
	qsort(total, f->node.nr, sizeof(*total), cmp_u64_down);
	min = MAX(min, total[max] + 1);
	free(total);
	return min;
}

/* the key of the order: nodes by parent, then by name and module */
struct flame_place {
	const struct flame *f;
	u32 id;
};

static int cmp_placed(const void *pa, const void *pb)
{
	const struct flame_place *pl_a = pa, *pl_b = pb;
	const struct strtab *text = &pl_a->f->text;
	const struct flame_node *a = &pl_a->f->node.v[pl_a->id], *b = &pl_b->f->node.v[pl_b->id];
	int ret;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	ret = strcmp(strtab_get(text, a->name), strtab_get(text, b->name));
	return ret ? ret : strcmp(strtab_get(text, a->module), strtab_get(text, b->module));
}

/* an old node that is next, and its parent's new id */
struct step {
	u32 id, parent;
};

/* the nodes that are kept, with the children of each in one range */
struct kept {
	struct flame_place *child;
	size_t nr;
	u32 *first;		/* of each old node: where its children begin; nr: none */
};

static void keep(const struct flame *f, u64 min, struct kept *k)
{
	k->child = xcalloc(f->node.nr + 1, sizeof(*k->child));
	k->first = xcalloc(f->node.nr + 1, sizeof(*k->first));
	for (u32 i = 1; i < f->node.nr; i++)
		if (f->node.v[i].total >= min)
			k->child[k->nr++] = (struct flame_place){ f, i };
	qsort(k->child, k->nr, sizeof(*k->child), cmp_placed);
	for (size_t i = 0; i < f->node.nr; i++)
		k->first[i] = k->nr;
	for (size_t i = k->nr; i-- > 0;)
		k->first[f->node.v[k->child[i].id].parent] = i;
}

void flame_prune(struct flame *f, size_t max, u64 min)
{
	struct flame old = *f;
	struct kept k = { 0 };
	struct { VEC(struct step); } stack = { 0 };

	f->min = threshold(f, max, min);
	keep(&old, f->min, &k);
	f->nr_pruned = old.node.nr - 1 - k.nr;
	f->node.v = NULL;
	f->node.nr = f->node.alloc = 0;
	vec_push(&stack, (struct step){ 0, FLAME_NONE });
	while (stack.nr) {
		struct step p = stack.v[--stack.nr];
		u32 at = f->node.nr;
		size_t first = k.first[p.id], end = first;

		vec_push(&f->node, old.node.v[p.id]);
		f->node.v[at].parent = p.parent;
		f->depth = MAX(f->depth, f->node.v[at].depth);
		while (end < k.nr && old.node.v[k.child[end].id].parent == p.id)
			end++;
		/* the last one first: it is taken from the end */
		while (end > first)
			vec_push(&stack, (struct step){ k.child[--end].id, at });
	}
	vec_release(&stack);
	vec_release(&old.node);
	free(k.child);
	free(k.first);
	hidx_release(&f->idx);
}

/* a frame must not look like two: semicolons become colons */
static void add_name(struct strbuf *path, const char *name)
{
	if (path->len)
		strbuf_addch(path, ';');
	for (; *name; name++)
		strbuf_addch(path, *name == ';' ? ':' : *name == '\n' ? ' ' : *name);
}

void flame_paths(const struct flame *f, void (*add)(void *ctx, const char *path, u64 self), void *ctx)
{
	struct strbuf path = STRBUF_INIT;
	struct { VEC(size_t); } end = { 0 };	/* of the path by depth */

	vec_foreach(&f->node, n) {
		vec_reserve(&end, n->depth + 1);
		strbuf_setlen(&path, n->depth > 1 ? end.v[n->depth - 1] : 0);
		if (n->depth)
			add_name(&path, strtab_get(&f->text, n->name));
		end.v[n->depth] = path.len;
		if (n->self)
			add(ctx, n->depth ? strbuf_str(&path) : strtab_get(&f->text, n->name), n->self);
	}
	strbuf_release(&path);
	vec_release(&end);
}
