/*
 * Text: options of the formats, and call graphs as text. Text formats write to a stream in large pieces, and
 * stop quietly where the reader has gone.
 */
#ifndef PERF_UI_TEXT_H
#define PERF_UI_TEXT_H

#include <stdio.h>
#include "../util/view/view.h"

enum graph_mode { GRAPH_NONE, GRAPH_FLAT, GRAPH_TREE, GRAPH_FRACTAL, GRAPH_FOLDED };
enum graph_value { GRAPH_PERCENT, GRAPH_PERIOD, GRAPH_COUNT };

#define TEXT_MAX_WIDTHS 32

struct pool;
struct text_opts {
	char separator;			/* of separated values */
	u32 widths[TEXT_MAX_WIDTHS];	/* -w: widths by column, 0: automatic; nr_widths of them */
	u32 nr_widths;
	u32 room;			/* columns of the terminal that shows it, or 0 */
	bool full_names;		/* columns are as wide as their longest names, whatever the room */
	enum graph_mode graph;
	enum graph_value value;
	u32 graph_limit;		/* lines of a graph per row, 0: all */
	bool quiet;			/* no header lines */
	bool skip_empty;		/* leave out tables without rows, unless all are */
	bool color;			/* large shares red, middle ones green */
	struct pool *pool;		/* rows are made in parallel; or NULL */
};

struct strbuf;
/* the same at the end of a string */
int text_add(const struct view *v, const struct text_opts *o, struct strbuf *out);
/* the sequence for a share in percent, "" for a small one */
const char *share_color(double percent);
/* the graph below one row; paths of flat and folded graphs are listed from min_percent of total_period on */
void graph_text(const struct view_node *root, const struct text_opts *o, u64 total_period, double min_percent,
		struct strbuf *out);

#endif
