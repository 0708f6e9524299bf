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
						.kernel = kernel, .depth = f->node.v[parent].depth + 1,
						.tint = f->node.v[parent].tint });
	return f->node.nr - 1;
}

u32 flame_child(struct flame *f, u32 parent, const char *name, const char *module)
{
	return child_of(f, parent, strtab_add(&f->text, name), strtab_add(&f->text, module), false);
}

/* addresses of one library are one frame: each alone says nothing */
static u32 name_of(struct flame *f, const struct view_node *n, const char *module)
{
	struct strbuf sb = STRBUF_INIT;
	u32 id;

	if (!n->unnamed)
		return strtab_add(&f->text, n->label);
	if (module && *module == '[')
		return strtab_add(&f->text, module);
	strbuf_addf(&sb, "[%s]", module ? module : "unknown");
	id = strtab_add(&f->text, strbuf_str(&sb));
	strbuf_release(&sb);
	return id;
}

/* a table whose rows are added */
struct source {
	const struct view_table *table;
	u32 period;		/* its column */
	bool before;		/* it is of the earlier profile */
	struct strbuf text, scratch;
	const struct view_table *names;		/* has the aliases */
	const char *module, *shown;		/* the last one that was looked up */
};

static const char *shown_name(const struct view_table *t, const char *column, const char *name)
{
	for (u32 i = 0; i < t->nr_aliases; i++)
		if (!strcmp(t->alias[i].name, name) && !strcmp(t->alias[i].column, column))
			return t->alias[i].shown;
	return name;
}

static const char *shown_module(struct source *s, const char *module)
{
	if (!s->names->nr_aliases || !module)
		return module;
	if (s->module != module) {
		s->module = module;
		s->shown = shown_name(s->names, "dso", module);
	}
	return s->shown;
}

static void add_sums(struct flame_node *n, const struct source *s, u64 total, u64 self)
{
	*(s->before ? &n->total_before : &n->total) += total;
	*(s->before ? &n->self_before : &n->self) += self;
}

static void add_slots(struct flame *f, u32 node, const struct view_slot *s, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (s[i].period)
			vec_push(&f->slot, (struct flame_slot){ .node = node, .slot = s[i].slot,
				.cpu = s[i].cpu, .thread = s[i].thread, .period = s[i].period,
				.length = s[i].length, .nr = s[i].nr, .other = s[i].other,
				.state = s[i].state, .detail = s[i].detail });
}

/* returns the period of what is below n */
static u64 add_tree(struct flame *f, struct source *s, u32 parent, const struct view_node *n)
{
	u64 below = 0;

	vec_foreach(&n->child, c) {
		const char *file = shown_module(s, (*c)->module);
		u32 module = file ? strtab_add(&f->text, file) : 0;
		u32 id = child_of(f, parent, name_of(f, *c, file), module, (*c)->kernel);

		add_sums(&f->node.v[id], s, (*c)->period, (*c)->self_period);
		add_slots(f, id, (*c)->slot, (*c)->nr_slots);
		add_tree(f, s, id, *c);
		below += (*c)->period;
	}
	return below;
}

static u32 find_column(const struct view_table *t, const char *name)
{
	for (u32 i = 0; i < t->column.nr; i++)
		if (!strcmp(t->column.v[i].name, name))
			return i;
	return FLAME_NONE;
}

static void cell_text(struct source *s, size_t row, u32 column)
{
	struct view_value v;
	const char *shown;

	strbuf_reset(&s->scratch);
	strbuf_reset(&s->text);
	s->table->value(s->table, row, column, 0, &s->scratch, &v);
	if (v.type == VIEW_ABSENT)
		strbuf_addstr(&s->text, "[unknown]");
	else
		view_value_text(&v, 2, &s->text);
	shown = shown_name(s->names, s->table->column.v[column].name, strbuf_str(&s->text));
	if (shown != strbuf_str(&s->text)) {
		strbuf_reset(&s->text);
		strbuf_addstr(&s->text, shown);
	}
}

/* of a row's key: only functions have a module, which the row has as a key, too */
static u32 module_of_key(struct flame *f, struct source *s, size_t row, u32 column)
{
	u32 dso = find_column(s->table, "dso");

	if (dso == FLAME_NONE || dso <= s->period || strcmp(s->table->column.v[column].name, "symbol"))
		return 0;
	cell_text(s, row, dso);
	return strtab_add(&f->text, strbuf_str(&s->text));
}

/* rows say so before the name: "[k] do_idle" */
static bool is_kernel(struct source *s, size_t row, u32 column)
{
	strbuf_reset(&s->text);
	s->table->cell(s->table, row, column, &s->text);
	return !strncmp(strbuf_str(&s->text), "[k] ", 4);
}

/* what the cell in s->text gives its node, and all that is above it */
static u8 tint_of(const struct flame *f, const struct source *s, u32 column)
{
	const struct view_tints *t = f->tints;

	if (!t || strcmp(s->table->column.v[column].name, t->column))
		return 0;
	for (u32 i = 0; i < t->nr; i++)
		if (!strcmp(t->row[i].text, strbuf_str(&s->text)))
			return i + 1;
	return 0;
}

static void add_row(struct flame *f, struct source *s, size_t row)
{
	const struct view_table *t = s->table;
	struct view_value v;
	u64 total, below = 0;
	u32 node = 0, nr_slots;
	u8 tint;

	strbuf_reset(&s->scratch);
	t->value(t, row, s->period, 0, &s->scratch, &v);
	total = v.type == VIEW_NUMBER ? v.number : 0;
	if (!total)
		return;		/* only a caller */
	add_sums(&f->node.v[0], s, total, 0);
	for (u32 i = s->period + 1; i < t->column.nr; i++) {
		u32 module = module_of_key(f, s, row, i), name;

		cell_text(s, row, i);
		name = strtab_add(&f->text, strbuf_str(&s->text));
		tint = tint_of(f, s, i);
		node = child_of(f, node, name, module, module && is_kernel(s, row, i));
		if (tint)
			f->node.v[node].tint = tint;
		add_sums(&f->node.v[node], s, total, 0);
	}
	if (t->time && !t->time->missing) {
		const struct view_slot *slot = t->slots(t, row, &nr_slots);

		add_slots(f, node, slot, nr_slots);
	}
	if (t->tree && t->tree[row])
		below = add_tree(f, s, node, t->tree[row]);
	add_sums(&f->node.v[node], s, 0, total - MIN(below, total));
}

static bool add_table(struct flame *f, const struct view_table *t, const struct view_table *names,
		      bool before)
{
	struct source s = { .table = t, .names = names, .period = find_column(t, "period"),
			    .before = before };

	if (s.period == FLAME_NONE || !t->value)
		return false;
	for (size_t row = 0; row < t->nr_rows; row++)
		add_row(f, &s, row);
	strbuf_release(&s.text);
	strbuf_release(&s.scratch);
	return true;
}

void flame_begin(struct flame *f)
{
	*f = (struct flame){ 0 };
	strtab_add(&f->text, "");
	vec_push(&f->node, (struct flame_node){ .name = strtab_add(&f->text, "all"), .parent = FLAME_NONE });
}

bool flame_make(struct flame *f, const struct view_table *t)
{
	flame_begin(f);
	f->compared = t->before;
	f->tints = t->tints;
	f->slot_rows = t->time ? t->time->nr_rows : 0;
	if (t->before && !add_table(f, t->before, t, true))
		return false;
	return add_table(f, t, t, false);
}

double flame_growth(const struct flame *f, const struct flame_node *n)
{
	const struct flame_node *all = &f->node.v[0];

	return (all->total ? (double)n->self / all->total : 0) -
	       (all->total_before ? (double)n->self_before / all->total_before : 0);
}

void flame_release(struct flame *f)
{
	strtab_release(&f->text);
	vec_release(&f->node);
	vec_release(&f->slot);
	vec_release(&f->whole);
	hidx_release(&f->idx);
	free(f->cell);
}

static int cmp_u64_down(const void *pa, const void *pb)
{
	u64 a = *(const u64 *)pa, b = *(const u64 *)pb;

	return a < b ? 1 : a > b ? -1 : 0;
}

/* what decides whether a node is kept: its larger part */
static u64 weight(const struct flame_node *n)
{
	return MAX(n->total, n->total_before);
}

/* a child is never larger than its parent, so this cuts whole branches */
static u64 threshold(const struct flame *f, size_t max, u64 min)
{
	u64 *total;

	if (f->node.nr <= max)
		return min;
	total = xreallocarray(NULL, f->node.nr, sizeof(*total));
	for (size_t i = 0; i < f->node.nr; i++)
		total[i] = weight(&f->node.v[i]);
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
		if (weight(&f->node.v[i]) >= min)
			k->child[k->nr++] = (struct flame_place){ f, i };
	qsort(k->child, k->nr, sizeof(*k->child), cmp_placed);
	for (size_t i = 0; i < f->node.nr; i++)
		k->first[i] = k->nr;
	for (size_t i = k->nr; i-- > 0;)
		k->first[f->node.v[k->child[i].id].parent] = i;
}

/* slots of what was left out belong to the nearest caller that was kept */
static void move_slots(struct flame *f, const struct flame *old, const u32 *to)
{
	vec_foreach(&f->slot, s) {
		u32 node = s->node;

		while (to[node] == FLAME_NONE)
			node = old->node.v[node].parent;
		s->node = to[node];
	}
}

void flame_prune(struct flame *f, size_t max, u64 min)
{
	struct flame old = *f;
	struct kept k = { 0 };
	struct { VEC(struct step); } stack = { 0 };
	u32 *to;		/* by old node: its new id */

	f->min = threshold(f, max, min);
	keep(&old, f->min, &k);
	f->nr_pruned += old.node.nr - 1 - k.nr;
	to = xreallocarray(NULL, old.node.nr, sizeof(*to));
	for (size_t i = 0; i < old.node.nr; i++)
		to[i] = FLAME_NONE;
	f->node.v = NULL;
	f->node.nr = f->node.alloc = 0;
	vec_push(&stack, (struct step){ 0, FLAME_NONE });
	while (stack.nr) {
		struct step p = stack.v[--stack.nr];
		u32 at = f->node.nr;
		size_t first = k.first[p.id], end = first;

		to[p.id] = at;
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
	move_slots(f, &old, to);
	free(to);
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

void flame_paths(const struct flame *f, void (*add)(void *ctx, const char *path, const struct flame_node *n),
		 void *ctx)
{
	struct strbuf path = STRBUF_INIT;
	struct { VEC(size_t); } end = { 0 };	/* of the path by depth */

	vec_foreach(&f->node, n) {
		vec_reserve(&end, n->depth + 1);
		strbuf_setlen(&path, n->depth > 1 ? end.v[n->depth - 1] : 0);
		if (n->depth)
			add_name(&path, strtab_get(&f->text, n->name));
		end.v[n->depth] = path.len;
		if (n->self || n->self_before)
			add(ctx, n->depth ? strbuf_str(&path) : strtab_get(&f->text, n->name), n);
	}
	strbuf_release(&path);
	vec_release(&end);
}
