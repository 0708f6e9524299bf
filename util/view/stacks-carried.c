/*
 * Stacks-carried: profiles one after another, whose tables are carried on. Numbers of nodes say nothing about
 * their order, so nodes that have stacks get keys once, which are compared instead: a ranked node has its
 * place among all ranked ones, a later one (a loose node) the place that it comes after. When there are many
 * loose nodes, all are ranked again.
 */
#include "stacks-carried.h"
#include "stacks.h"
#include "stacks-contents.h"

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

/* a caller comes before what it calls */
static int cmp_nodes(const struct stacks *s, u32 a, u32 b)
{
	const u32 *depth = s->order->depth.v;
	const struct stacks_node *node = s->node.v;
	int deeper = stacks_cmp_numbers(depth[a], depth[b]);

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
	return stacks_cmp_frames(s, node[a].frame, node[b].frame);
}

static int cmp_stacks(const struct stacks *s, u32 a, u32 b)
{
	const struct stack *ka = &s->stack.v[a], *kb = &s->stack.v[b];
	int ret = ka->node == kb->node ? 0 : cmp_nodes(s, ka->node, kb->node);

	if (!ret)
		ret = stacks_cmp_labels(s, ka->labels, kb->labels);
	return ret ? ret : stacks_cmp_numbers(ka->event, kb->event);
}

/* by pairs that are sorted by keys: those with equal keys by their contents */
static void sort_equal_keys(const struct stacks *s, stacks_cmp cmp)
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
		stacks_sort_ids(s, id + i, o->tmp.v, end - i, cmp);
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
	stacks_sort_ids(s, s->new_frames.v, o->tmp.v, s->new_frames.nr, stacks_cmp_frames);
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
