/* Call graphs in plain text: tree, flat, folded. */
#include "text.h"

#include "../util/base/strbuf.h"
#include "../util/cli/color.h"

#define GRAPH_INDENT 12
#define BRANCH_WIDTH 11		/* "|--99.99%--": a child's text starts so far behind its bar */

struct graph {
	const struct text_opts *o;
	struct strbuf *out;
	struct strbuf prefix;	/* what stands in front of every line at this depth */
	u64 total;
	u32 lines;
};

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

static void add_value(struct graph *g, u64 period, u64 nr, u64 base)
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

static void add_line(struct graph *g, const char *text)
{
	strbuf_add(g->out, g->prefix.buf, g->prefix.len);
	strbuf_addstr(g->out, text);
	strbuf_addch(g->out, '\n');
}

/* a node and its only child are one run where nothing was lost between them */
static const struct view_node *run_next(const struct view_node *n)
{
	return n->child.nr == 1 && n->child.v[0]->nr == n->nr ? n->child.v[0] : NULL;
}

/* the end of the run; limit: so many lines of it at most, 0: all */
static const struct view_node *add_run(struct graph *g, const struct view_node *n, u32 limit)
{
	const struct view_node *next;

	for (u32 lines = 1; (next = run_next(n)); lines++) {
		n = next;
		if (!limit || lines < limit)
			add_line(g, n->label);
	}
	return n;
}

/* fractal graphs say how much of what lies below a node went to children that are not shown */
static void add_rest(struct graph *g, u64 period, u64 nr, u64 base)
{
	strbuf_add(g->out, g->prefix.buf, g->prefix.len);
	strbuf_addstr(g->out, " --");
	add_value(g, period, nr, base);
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
		add_value(g, c->period, c->nr, base);
		strbuf_addf(g->out, "--%s\n", c->label);
		strbuf_addch(&g->prefix, last ? ' ' : '|');
		strbuf_pad(&g->prefix, ' ', BRANCH_WIDTH - 1);
		end = add_run(g, c, 0);
		add_children(g, end, end->period - end->self_period, end->nr - end->self_nr);
		strbuf_setlen(&g->prefix, keep);
	}
	if (rest)
		add_rest(g, below, below_nr, base);
}

static void add_tree(struct graph *g, const struct view_node *root)
{
	strbuf_pad(&g->prefix, ' ', GRAPH_INDENT);
	if (root->child.nr == 1 && root->child.v[0]->nr == root->nr) {
		const struct view_node *n = root->child.v[0];

		add_line(g, "|");
		strbuf_add(g->out, g->prefix.buf, g->prefix.len);
		strbuf_addf(g->out, "---%s\n", n->label);
		strbuf_pad(&g->prefix, ' ', 3);
		n = add_run(g, n, g->o->graph_limit);
		add_children(g, n, n->period, n->nr);
	} else {
		add_children(g, root, root->period, root->nr);
	}
	strbuf_addch(g->out, '\n');
}

struct node_path {
	VEC(const struct view_node *);
};

static void add_flat_path(struct graph *g, const struct node_path *p)
{
	const struct view_node *end = p->v[p->nr - 1];

	strbuf_pad(g->out, ' ', GRAPH_INDENT - 1);
	add_value(g, end->period, end->nr, g->total);
	strbuf_addch(g->out, '\n');
	for (size_t i = 0; i < p->nr; i++)
		strbuf_addf(g->out, "%*s%s\n", GRAPH_INDENT + 4, "", p->v[i]->label);
	strbuf_addch(g->out, '\n');
}

static void add_folded_path(struct graph *g, const struct node_path *p)
{
	const struct view_node *end = p->v[p->nr - 1];

	add_value(g, end->self_period, end->self_nr, g->total);
	for (size_t i = 0; i < p->nr; i++)
		strbuf_addf(g->out, "%c%s", i ? ';' : ' ', p->v[i]->label);
	strbuf_addch(g->out, '\n');
}

struct listed {
	struct { VEC(const struct view_node *); } end;
	u64 min;
};

/* the nodes where at least min ends */
static void list_ends(struct listed *l, const struct view_node *n)
{
	if (n->label && n->self_nr && n->self_period >= l->min)
		vec_push(&l->end, n);
	vec_foreach(&n->child, c)
		list_ends(l, *c);
}

/* by what ends there, also where flat graphs show the sum of everything below */
static int cmp_ends(const void *pa, const void *pb)
{
	const struct view_node *a = *(const struct view_node *const *)pa, *b = *(const struct view_node *const *)pb;

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

static void add_paths(struct graph *g, const struct view_node *root, u64 min)
{
	struct listed l = { .min = min };
	struct node_path p = { 0 };

	list_ends(&l, root);
	if (l.end.nr)
		qsort(l.end.v, l.end.nr, sizeof(*l.end.v), cmp_ends);
	for (size_t i = 0; i < l.end.nr && !full(g); i++) {
		p.nr = 0;
		find_path(root, l.end.v[i], &p);
		if (g->o->graph == GRAPH_FLAT)
			add_flat_path(g, &p);
		else
			add_folded_path(g, &p);
		g->lines++;
	}
	vec_release(&p);
	vec_release(&l.end);
}

void graph_text(const struct view_node *root, const struct text_opts *o, u64 total_period, double min_percent,
		struct strbuf *out)
{
	struct graph g = { .o = o, .out = out, .total = total_period };

	if (o->graph == GRAPH_FLAT || o->graph == GRAPH_FOLDED)
		add_paths(&g, root, min_percent * total_period / 100.0);
	else if (o->graph != GRAPH_NONE)
		add_tree(&g, root);
	strbuf_release(&g.prefix);
}
