/*
 * View: the only contract between answers (util/) and presentation (ui/): tables with titles, columns and rows, optional call
 * graphs below rows, text blocks around them. ui/ knows no perf type at all. A report can have a million cells, so they are not
 * stored: a table writes a cell's text when asked, from any thread. Strings belong to the view's arena.
 */
#ifndef PERF_VIEW_VIEW_H
#define PERF_VIEW_VIEW_H

#include "../base/arena.h"
#include "../base/strbuf.h"
#include "../base/vec.h"

struct view_column {
	const char *name;	/* key, as in --sort: "overhead" */
	const char *title;	/* "Shared Object" */
	u32 width;		/* wanted width of the text layout, title included; 0: as wide as the cells */
	bool right;		/* right-aligned */
	bool fixed;		/* no cell is wider than width */
	bool no_pad;		/* not padded where it is the last column */
};

/*
 * One node of a call graph, children in display order; nodes below the threshold are left out, so sums of children can be
 * smaller than their parent. The root has no label. Numbers are sums over everything below; self_* of what ends here.
 */
struct view_node {
	const char *label;
	u64 period, nr, self_period, self_nr;
	u64 order;			/* among children with equal periods: largest first */
	u32 file;			/* among those with the same label, too: smallest first */
	struct { VEC(struct view_node *); } child;
};

/* of a row where rows are a tree */
struct view_level {
	u8 depth;		/* 0: the first level */
	bool note;		/* a remark in place of the rows that are not shown */
};

struct view_table {
	struct { VEC(const char *); } head;	/* comment lines above it, without "# " */
	struct { VEC(struct view_column); } column;
	size_t nr_rows;
	/* appends the text of a cell, unpadded; const and thread-safe */
	void (*cell)(const struct view_table *t, size_t row, u32 column, struct strbuf *out);
	/* cells of the rows behind this one are wanted soon, in order */
	void (*prefetch)(const struct view_table *t, size_t row);
	const void *ctx;			/* cell's own */
	/*
	 * rows are a tree: the last nr_levels columns are keys, of which a row shows the one of its depth. 0: a flat table
	 */
	const struct view_level *level;
	u32 nr_levels;
	struct view_node **tree;		/* call graph of each row, NULL entries; or NULL */
	u64 total_period, total_nr;		/* what call-graph shares refer to */
	double min_percent;			/* of a path that flat and folded graphs list */
};

struct view {
	struct arena arena;
	struct { VEC(const char *); } head;
	struct { VEC(struct view_table *); } table;
	struct { VEC(const char *); } foot;
	struct { VEC(void *); } owned;		/* heap blocks freed with the view */
	struct { VEC(struct arena); } arenas;	/* of workers that made parts of it */
};

void view_free(struct view *v);

#endif
