/* C2c graphs: see c2c-graph.h. */
#include "c2c-graph.h"

#include <stdlib.h>
#include <string.h>

static int cmp_stacks(const void *pa, const void *pb)
{
	const struct c2c_stack *a = pa, *b = pb;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return (a->stack > b->stack) - (a->stack < b->stack);
}

void c2c_stacks_sort(struct c2c *c)
{
	if (c->stack.nr)
		qsort(c->stack.v, c->stack.nr, sizeof(*c->stack.v), cmp_stacks);
	for (u32 i = 0; i < c->stack.nr; i++) {
		struct c2c_row *r = &c->row.v[c->stack.v[i].row];

		if (!r->nr_stacks++)
			r->first_stack = i;
	}
}

static const char *label_of(const struct tracing_frame *f, struct arena *arena)
{
	struct strbuf text = STRBUF_INIT;
	const char *label = f->name;

	if (!strcmp(label, "[unknown]")) {
		strbuf_addf(&text, "%#lx", f->ip);
		label = arena_strdup(arena, strbuf_str(&text));
		strbuf_release(&text);
	}
	return label;
}

static struct view_node *child_of(struct view_node *n, const char *label, struct arena *arena)
{
	struct view_node *child;

	vec_foreach(&n->child, c)
		if (!strcmp((*c)->label, label))
			return *c;
	child = ARENA_NEW(arena, struct view_node);
	child->label = label;
	vec_push(&n->child, child);
	return child;
}

static void add_path(struct c2c *c, struct view_node *root, const struct c2c_stack *s, struct arena *arena)
{
	struct view_node *n = root;
	u32 nr = 0;

	while (tracing_stack_frame(&c->stacks, s->stack, nr))
		nr++;
	n->period += s->period;
	n->nr += s->nr;
	for (u32 i = 0; i < nr; i++) {
		u32 at = c->o->graph.caller ? nr - 1 - i : i;

		n = child_of(n, label_of(tracing_stack_frame(&c->stacks, s->stack, at), arena), arena);
		n->period += s->period;
		n->nr += s->nr;
	}
	n->self_period += s->period;
	n->self_nr += s->nr;
}

static int cmp_nodes(const void *pa, const void *pb)
{
	const struct view_node *a = *(const struct view_node *const *)pa,
			       *b = *(const struct view_node *const *)pb;

	if (a->period != b->period)
		return a->period < b->period ? 1 : -1;
	return strcmp(a->label, b->label);
}

/* removes what is below the threshold, sorts the rest, gives it to the view */
static void finish(struct c2c *c, struct view_node *n, u64 total, struct view *v)
{
	u64 of = c->o->graph.fractal ? n->period - n->self_period : total;
	double least = c->o->graph.min_percent * of / 100.0;
	size_t nr = 0;

	for (size_t i = 0; i < n->child.nr; i++) {
		finish(c, n->child.v[i], total, v);
		if (n->child.v[i]->period >= least)
			n->child.v[nr++] = n->child.v[i];
	}
	n->child.nr = nr;
	if (nr > 1)
		qsort(n->child.v, nr, sizeof(*n->child.v), cmp_nodes);
	if (n->child.v)
		vec_push(&v->owned, n->child.v);
}

struct view_node *c2c_graph(struct c2c *c, const struct c2c_row *r, struct view *v)
{
	struct view_node *root;

	if (!r->nr_stacks)
		return NULL;
	root = ARENA_NEW(&v->arena, struct view_node);
	for (u32 i = 0; i < r->nr_stacks; i++)
		add_path(c, root, &c->stack.v[r->first_stack + i], &v->arena);
	finish(c, root, root->period, v);
	return root->child.nr ? root : NULL;
}
