/* Call graphs as trees: lines from a node to its children, with their shares. */
#include "graph-private.h"

#define BRANCH_WIDTH 11		/* "|--99.99%--": columns from a child's bar to its text */

static void add_line(struct graph *g, const char *text)
{
	strbuf_add(g->out, g->prefix.buf, g->prefix.len);
	strbuf_addstr(g->out, text);
	strbuf_addch(g->out, '\n');
}

/* ends the line */
static void add_label(struct graph *g, const struct view_node *n)
{
	strbuf_addstr(g->out, n->label);
	if (n->note)
		strbuf_addf(g->out, " (%s)", n->note);
	strbuf_addch(g->out, '\n');
}

/* a node and its only child are one run where nothing was lost between them */
static const struct view_node *run_next(const struct view_node *n)
{
	return n->child.nr == 1 && n->child.v[0]->nr == n->nr ? n->child.v[0] : NULL;
}

/* the end of the run; limit: the most lines of it, 0: all */
static const struct view_node *add_run(struct graph *g, const struct view_node *n, u32 limit)
{
	const struct view_node *next;

	for (u32 lines = 1; (next = run_next(n)); lines++) {
		n = next;
		if (limit && lines >= limit)
			continue;
		strbuf_add(g->out, g->prefix.buf, g->prefix.len);
		add_label(g, n);
	}
	return n;
}

/* fractal graphs say how much of what lies below a node went to children that are not shown */
static void add_rest(struct graph *g, u64 period, u64 nr, u64 base)
{
	strbuf_add(g->out, g->prefix.buf, g->prefix.len);
	strbuf_addstr(g->out, " --");
	graph_value(g, period, nr, base);
	strbuf_addstr(g->out, "--[...]\n");
}

/* the limit is one of children a node */
static size_t nr_shown(const struct graph *g, const struct view_node *n)
{
	return g->o->graph_limit ? MIN(n->child.nr, (size_t)g->o->graph_limit) : n->child.nr;
}

/* below: what the shares of a fractal graph refer to, below_nr samples */
static void add_children(struct graph *g, const struct view_node *n, u64 below, u64 below_nr)
{
	size_t keep = g->prefix.len, nr = nr_shown(g, n);
	bool fractal = g->o->graph == GRAPH_FRACTAL, rest;
	u64 base = fractal ? below : g->total;

	for (size_t i = 0; i < nr; i++) {
		below -= n->child.v[i]->period;
		below_nr -= n->child.v[i]->nr;
	}
	rest = fractal && nr && below;
	for (size_t i = 0; i < nr; i++) {
		const struct view_node *c = n->child.v[i], *end;
		bool last = i + 1 == n->child.nr && !rest;

		add_line(g, "|          ");
		strbuf_add(g->out, g->prefix.buf, g->prefix.len);
		strbuf_addstr(g->out, last ? " --" : "|--");
		graph_value(g, c->period, c->nr, base);
		strbuf_addstr(g->out, "--");
		add_label(g, c);
		strbuf_addch(&g->prefix, last ? ' ' : '|');
		strbuf_pad(&g->prefix, ' ', BRANCH_WIDTH - 1);
		end = add_run(g, c, 0);
		add_children(g, end, end->period - end->self_period, end->nr - end->self_nr);
		strbuf_setlen(&g->prefix, keep);
	}
	if (rest)
		add_rest(g, below, below_nr, base);
}

void graph_tree(struct graph *g, const struct view_node *root)
{
	strbuf_pad(&g->prefix, ' ', GRAPH_INDENT);
	if (root->child.nr == 1 && root->child.v[0]->nr == root->nr) {
		const struct view_node *n = root->child.v[0];

		add_line(g, "|");
		strbuf_add(g->out, g->prefix.buf, g->prefix.len);
		strbuf_addstr(g->out, "---");
		add_label(g, n);
		strbuf_pad(&g->prefix, ' ', 3);
		n = add_run(g, n, g->o->graph_limit);
		add_children(g, n, n->period, n->nr);
	} else {
		add_children(g, root, root->period, root->nr);
	}
	strbuf_addch(g->out, '\n');
}

