/* Call graphs in plain text: the rows, numbers and paths. */
#include "graph-private.h"

#include <stdlib.h>
#include "../util/cli/color.h"

static bool full(const struct graph *g)
{
	return g->o->graph_limit && g->lines >= g->o->graph_limit;
}

const char *share_color(double percent)
{
	return percent >= 5.0 ? COLOR_RED : percent >= 0.5 ? COLOR_GREEN : "";
}

static void add_share(struct graph *g, double percent)
{
	const char *color = g->o->color ? share_color(percent) : "";

	strbuf_addf(g->out, "%s%.2f%%%s", color, percent, *color ? COLOR_RESET : "");
}

void graph_value(struct graph *g, u64 period, u64 nr, u64 base)
{
	switch (g->o->value) {
	case GRAPH_PERIOD:
		strbuf_add_u64(g->out, period, 0);
		break;
	case GRAPH_COUNT:
		strbuf_add_u64(g->out, nr, 0);
		break;
	default:
		add_share(g, base ? 100.0 * period / base : 0.0);
	}
}

struct listed {
	struct { VEC(const struct view_node *); } end;
	u64 min;
};

/* the nodes where at least min ends */
static void list_ends(struct listed *l, const struct view_node *n)
{
	if (n->label && (n->self_nr || n->self_period) && n->self_period >= l->min)
		vec_push(&l->end, n);
	vec_foreach(&n->child, c)
		list_ends(l, *c);
}

/* by what ends there, also where flat graphs show the sum of everything below */
static int cmp_ends(const void *pa, const void *pb)
{
	const struct view_node *a = *(const struct view_node *const *)pa,
			*b = *(const struct view_node *const *)pb;

	if (a->self_period != b->self_period)
		return a->self_period < b->self_period ? 1 : -1;
	return strcmp(a->label, b->label);
}

/* the labels from the root to end; true once it is found */
static bool find_path(const struct view_node *n, const struct view_node *end, struct node_path *p)
{
	vec_foreach(&n->child, c) {
		vec_push(p, *c);
		if (*c == end || find_path(*c, end, p))
			return true;
		p->nr--;
	}
	return false;
}

void graph_paths(struct graph *g, const struct view_node *root,
		 void (*add)(struct graph *g, const struct node_path *p))
{
	struct listed l = { .min = g->min };
	struct node_path p = { 0 };

	list_ends(&l, root);
	if (l.end.nr)
		qsort(l.end.v, l.end.nr, sizeof(*l.end.v), cmp_ends);
	for (size_t i = 0; i < l.end.nr && !full(g); i++) {
		p.nr = 0;
		find_path(root, l.end.v[i], &p);
		add(g, &p);
		g->lines++;
	}
	vec_release(&p);
	vec_release(&l.end);
}

void graph_text(const struct view_node *root, const struct text_opts *o, u64 total_period, double min_percent,
		struct strbuf *out)
{
	static void (*const graphs[])(struct graph *g, const struct view_node *root) = {
#define GRAPH(mode, add) [mode] = add,
#include "formats.def"
	};
	struct graph g = { .o = o, .out = out, .total = total_period };

	g.min = min_percent * total_period / 100.0;
	if (o->graph != GRAPH_NONE)
		graphs[o->graph](&g, root);
	strbuf_release(&g.prefix);
}
