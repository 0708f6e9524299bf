/*
 * View: the only contract between answers (util/) and presentation (ui/). A table: titles, columns, rows of cells, optional
 * children (trees) and text blocks. ui/ knows no perf type at all. Strings belong to the view's arena.
 */
#ifndef PERF_VIEW_VIEW_H
#define PERF_VIEW_VIEW_H

#include "../base/arena.h"
#include "../base/vec.h"

enum cell_kind { CELL_NONE, CELL_STR, CELL_U64, CELL_PERCENT, CELL_DOUBLE, CELL_HEX };

struct cell {
	enum cell_kind kind;
	const char *text;	/* how the classic text shows it, unpadded; never NULL unless CELL_NONE */
	double num;		/* the value behind it, for JSON, sorting, colours */
};

struct view_column {
	const char *name;	/* key, as in --sort: "overhead" */
	const char *title;	/* "Shared Object" */
	u32 width;		/* wanted width of the text layout, title included; 0: as wide as the cells */
	bool right;		/* right-aligned */
	bool no_pad;		/* not padded where it is the last column */
};

struct view_row {
	struct cell *cells;	/* nr_columns */
	struct view_node *tree;	/* call graph below the row, or NULL */
	bool hidden;		/* below the limit: counts for column widths only */
};

/*
 * One node of a call graph, children in display order; nodes below the threshold are left out, so sums of children can be
 * smaller than their parent. The root has no label. Numbers are sums over everything below; self_* of what ends here.
 */
struct view_node {
	const char *label;
	u64 period, nr, self_period, self_nr;
	struct { VEC(struct view_node *); } child;
};

struct view_table {
	struct { VEC(const char *); } head;	/* comment lines above it, without "# " */
	struct { VEC(struct view_column); } column;
	struct { VEC(struct view_row); } row;
	u64 total_period, total_nr;		/* what call-graph shares refer to */
	double min_percent;			/* of a path that flat and folded graphs list */
};

struct view {
	struct arena arena;
	struct { VEC(const char *); } head;
	struct { VEC(struct view_table *); } table;
	struct { VEC(const char *); } foot;
	struct { VEC(void *); } owned;		/* heap blocks freed with the view */
};

void view_free(struct view *v);

#endif
