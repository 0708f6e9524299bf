/* Call graphs folded: a line per path, with semicolons between the names. */
#include "graph-private.h"

static void add_folded_path(struct graph *g, const struct node_path *p)
{
	const struct view_node *end = p->v[p->nr - 1];

	graph_value(g, end->self_period, end->self_nr, g->total);
	for (size_t i = 0; i < p->nr; i++)
		strbuf_addf(g->out, "%c%s", i ? ';' : ' ', p->v[i]->label);
	strbuf_addch(g->out, '\n');
}

void graph_folded(struct graph *g, const struct view_node *root)
{
	graph_paths(g, root, add_folded_path);
}
