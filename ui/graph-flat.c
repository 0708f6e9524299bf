/* Call graphs as paths, a name per line. */
#include "graph-private.h"

static void add_flat_path(struct graph *g, const struct node_path *p)
{
	const struct view_node *end = p->v[p->nr - 1];

	strbuf_pad(g->out, ' ', GRAPH_INDENT - 1);
	graph_value(g, end->period, end->nr, g->total);
	strbuf_addch(g->out, '\n');
	for (size_t i = 0; i < p->nr; i++)
		strbuf_addf(g->out, "%*s%s%s%s%s\n", GRAPH_INDENT + 4, "", p->v[i]->label,
			    p->v[i]->note ? " (" : "", p->v[i]->note ? p->v[i]->note : "",
			    p->v[i]->note ? ")" : "");
	strbuf_addch(g->out, '\n');
}

void graph_flat(struct graph *g, const struct view_node *root)
{
	graph_paths(g, root, add_flat_path);
}
