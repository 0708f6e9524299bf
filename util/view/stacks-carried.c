/*
 * Stacks-carried: profiles one after another, whose tables are carried on. Numbers of nodes say nothing about
 * their order, so nodes that have stacks get keys once, which are compared instead: a ranked node has its
 * place among all ranked ones, a later one (a loose node) the place that it comes after. When there are many
 * loose nodes, all are ranked again.
 */
#include "stacks-carried.h"
#include "stacks.h"

#include <stdlib.h>
#include <string.h>
#include "../base/search.h"
#include "../base/sort.h"

/* key of a ranked node: twice its rank, from 1 on; of a loose one: 1 more than that of the one before */
#define NO_KEY 0u
#define KEY_OF_RANK(rank) ((u64)(rank) << 1)
#define LOOSE 1u

struct stacks_order {
	struct { VEC(u64); } key;	/* by node */
	struct { VEC(u32); } depth;	/* by node */
	struct { VEC(u32); } ranked, loose;	/* nodes */
	struct { VEC(u32); } tmp;
	struct { VEC(struct sort_pair); } pair;
	struct { VEC(struct stack); } sorted;
	u32 nr_frames;		/* that were there when it was settled before */
};

void stacks_order_free(struct stacks_order *o)
{
	if (!o)
		return;
	vec_release(&o->key);
	vec_release(&o->depth);
	vec_release(&o->ranked);
	vec_release(&o->loose);
	vec_release(&o->tmp);
	vec_release(&o->pair);
	vec_release(&o->sorted);
	free(o);
}

void stacks_next(struct stacks *s)
{
	s->event.nr = s->stack.nr = s->constant.nr = s->comment.nr = 0;
	s->time_ns = s->duration_ns = s->nr_profiles = 0;
	s->machine = s->kernel = s->boot = 0;
	hidx_clear(&s->by_stack);
}

/* ---- contents, in the order of stacks_finish() ---- */

static int cmp_numbers(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

static int cmp_texts(const struct stacks *s, u32 a, u32 b)
{
	return a == b ? 0 : strcmp(stacks_text(s, a), stacks_text(s, b));
}

/* frames without one are the last */
static int cmp_modules(const struct stacks *s, u32 a, u32 b)
{
	const struct stacks_module *ma, *mb;
	int ret;

	if (a == b || a == STACKS_NONE || b == STACKS_NONE)
		return cmp_numbers(a, b);
	ma = &s->module.v[a];
	mb = &s->module.v[b];
	ret = cmp_texts(s, ma->path, mb->path);
	if (!ret)
		ret = cmp_texts(s, ma->name, mb->name);
	if (!ret)
		ret = cmp_texts(s, ma->buildid, mb->buildid);
	return ret ? ret : cmp_numbers(ma->kernel, mb->kernel);
}

static int cmp_frames(const struct stacks *s, u32 a, u32 b)
{
	const struct stacks_frame *fa = &s->frame.v[a], *fb = &s->frame.v[b];
	int ret = cmp_texts(s, fa->function, fb->function);

	if (!ret)
		ret = cmp_modules(s, fa->module, fb->module);
	if (!ret)
		ret = cmp_texts(s, fa->file, fb->file);
	if (!ret)
		ret = cmp_numbers(fa->line, fb->line);
	if (!ret)
		ret = cmp_numbers(fa->address, fb->address);
	if (!ret)
		ret = cmp_numbers(fa->offset, fb->offset);
	return ret ? ret : cmp_numbers(fa->inlined << 1 | fa->mark, fb->inlined << 1 | fb->mark);
}

/* a caller comes before what it calls */
static int cmp_nodes(const struct stacks *s, u32 a, u32 b)
{
	const u32 *depth = s->order->depth.v;
	const struct stacks_node *node = s->node.v;
	int deeper = cmp_numbers(depth[a], depth[b]);

	while (depth[a] > depth[b])
		a = node[a].parent;
	while (depth[b] > depth[a])
		b = node[b].parent;
	if (a == b)
		return deeper;
	while (node[a].parent != node[b].parent) {
		a = node[a].parent;
		b = node[b].parent;
	}
	return cmp_frames(s, node[a].frame, node[b].frame);
}

static int cmp_labels(const struct stacks *s, u32 a, u32 b)
{
	const struct stacks_labels *la = &s->labels.v[a], *lb = &s->labels.v[b];
	int ret = 0;

	for (u32 i = 0; a != b && i < MIN(la->nr, lb->nr) && !ret; i++) {
		const struct stacks_label *ka = &s->label.v[la->first + i], *kb = &s->label.v[lb->first + i];

		ret = cmp_texts(s, ka->key, kb->key);
		if (!ret)
			ret = cmp_texts(s, ka->value, kb->value);
	}
	return ret ? ret : cmp_numbers(la->nr, lb->nr);
}

static int cmp_stacks(const struct stacks *s, u32 a, u32 b)
{
	const struct stack *ka = &s->stack.v[a], *kb = &s->stack.v[b];
	int ret = ka->node == kb->node ? 0 : cmp_nodes(s, ka->node, kb->node);

	if (!ret)
		ret = cmp_labels(s, ka->labels, kb->labels);
	return ret ? ret : cmp_numbers(ka->event, kb->event);
}

/* a merge sort, because the order needs the stacks */
static void sort_ids(const struct stacks *s, u32 *id, u32 *tmp, size_t nr,
		     int (*cmp)(const struct stacks *s, u32 a, u32 b))
{
	size_t half = nr / 2, a = 0, b = half;

	if (nr < 2)
		return;
	sort_ids(s, id, tmp, half, cmp);
	sort_ids(s, id + half, tmp, nr - half, cmp);
	if (cmp(s, id[half - 1], id[half]) <= 0)
		return;
	for (size_t i = 0; i < nr; i++)
		tmp[i] = b == nr || (a < half && cmp(s, id[a], id[b]) <= 0) ? id[a++] : id[b++];
	memcpy(id, tmp, nr * sizeof(*id));
}

/* by pairs that are sorted by keys: those with equal keys by their contents */
static void sort_equal_keys(const struct stacks *s, int (*cmp)(const struct stacks *s, u32 a, u32 b))
{
	struct stacks_order *o = s->order;
	u32 *id, nr = o->pair.nr;

	o->tmp.nr = 0;
	vec_reserve(&o->tmp, 2 * (size_t)nr);
	id = o->tmp.v + nr;
	for (u32 i = 0; i < nr; i++)
		id[i] = o->pair.v[i].val;
	for (u32 i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr && o->pair.v[end].key == o->pair.v[i].key;)
			end++;
		sort_ids(s, id + i, o->tmp.v, end - i, cmp);
		for (u32 k = i; k < end && end > i + 1; k++)
			o->pair.v[k].val = id[k];
	}
}

static void sort_keys(struct stacks_order *o)
{
	u32 nr = o->pair.nr, i = 1;

	while (i < nr && o->pair.v[i - 1].key <= o->pair.v[i].key)
		i++;
	if (i >= nr)
		return;
	vec_reserve(&o->pair, 2 * (size_t)nr);
	sort_pairs(o->pair.v, o->pair.v + nr, nr);
}

/* ---- keys ---- */

static u32 rank_before(const struct stacks *s, u32 node)
{
	const struct stacks_order *o = s->order;

	return LOWER_BOUND(o->ranked.nr, i, cmp_nodes(s, o->ranked.v[i], node) < 0);
}

static void rank_all(struct stacks *s)
{
	struct stacks_order *o = s->order;

	o->pair.nr = 0;
	vec_foreach(&o->ranked, n)
		vec_push(&o->pair, (struct sort_pair){ o->key.v[*n], *n });
	vec_foreach(&o->loose, n)
		vec_push(&o->pair, (struct sort_pair){ o->key.v[*n], *n });
	sort_keys(o);
	sort_equal_keys(s, cmp_nodes);
	o->ranked.nr = o->loose.nr = 0;
	vec_foreach(&o->pair, p) {
		vec_push(&o->ranked, p->val);
		o->key.v[p->val] = KEY_OF_RANK(o->ranked.nr);
	}
}

/* nodes with stacks for the first time */
static void add_keys(struct stacks *s)
{
	struct stacks_order *o = s->order;

	while (o->key.nr < s->node.nr) {
		u32 parent = s->node.v[o->key.nr].parent;

		vec_push(&o->depth, o->key.nr ? o->depth.v[parent] + 1 : 0);
		vec_push(&o->key, NO_KEY);
	}
	vec_foreach(&s->stack, k) {
		if (o->key.v[k->node] != NO_KEY)
			continue;
		o->key.v[k->node] = KEY_OF_RANK(rank_before(s, k->node)) | LOOSE;
		vec_push(&o->loose, k->node);
	}
	if (o->loose.nr > o->ranked.nr / 4)
		rank_all(s);
}

/* ---- a profile ---- */

static void order_new_frames(struct stacks *s)
{
	struct stacks_order *o = s->order;

	s->new_frames.nr = 0;
	for (u32 i = o->nr_frames; i < s->frame.nr; i++)
		vec_push(&s->new_frames, i);
	o->nr_frames = s->frame.nr;
	o->tmp.nr = 0;
	vec_reserve(&o->tmp, s->new_frames.nr);
	sort_ids(s, s->new_frames.v, o->tmp.v, s->new_frames.nr, cmp_frames);
}

static void order_stacks(struct stacks *s)
{
	struct stacks_order *o = s->order;

	o->pair.nr = o->sorted.nr = 0;
	for (u32 i = 0; i < s->stack.nr; i++)
		vec_push(&o->pair, (struct sort_pair){ o->key.v[s->stack.v[i].node], i });
	sort_keys(o);
	sort_equal_keys(s, cmp_stacks);
	vec_foreach(&o->pair, p)
		vec_push(&o->sorted, s->stack.v[p->val]);
	if (s->stack.nr)
		memcpy(s->stack.v, o->sorted.v, s->stack.nr * sizeof(*s->stack.v));
}

void stacks_settle(struct stacks *s)
{
	if (!s->order)
		s->order = xcalloc(1, sizeof(*s->order));
	s->carried = true;
	for (u32 i = s->text.nr; i < s->strings.str.nr; i++)
		vec_push(&s->text, s->strings.str.v[i]);
	order_new_frames(s);
	add_keys(s);
	order_stacks(s);
}
