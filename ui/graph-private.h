/* What call graphs in plain text share. */
#ifndef PERF_UI_GRAPH_PRIVATE_H
#define PERF_UI_GRAPH_PRIVATE_H

#include "text.h"
#include "../util/base/strbuf.h"

#define GRAPH_INDENT 12

struct graph {
	const struct text_opts *o;
	struct strbuf *out;
	struct strbuf prefix;	/* the text before every line at this depth */
	u64 total;
	u32 lines;
	u64 min;		/* flat and folded graphs list paths where at least so much ends */
};

/* the nodes from the first below the root to the end */
struct node_path { VEC(const struct view_node *); };

/* a number of a node, as the user wants it; base: what a share refers to */
void graph_value(struct graph *g, u64 period, u64 nr, u64 base);
/* calls add for the path to each node where samples end, those with most of them first */
void graph_paths(struct graph *g, const struct view_node *root,
		 void (*add)(struct graph *g, const struct node_path *p));

/* the formats */
#define GRAPH(mode, add) void add(struct graph *g, const struct view_node *root);
#include "formats.def"

#endif
