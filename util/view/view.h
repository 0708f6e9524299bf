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
};

struct view_row {
	struct cell *cells;	/* nr_columns */
	struct view_node *tree;	/* call graph below the row, or NULL */
};

/* one node of a call graph, children in display order */
struct view_node {
	struct { VEC(struct view_node *); } child;
	struct { VEC(const char *); } lines;	/* one label a frame of a single-path run */
	double percent;				/* of the row or of the whole, as the options say */
	u64 value, count;
};

struct view_table {
	struct { VEC(const char *); } head;	/* comment lines above it, without "# " */
	struct { VEC(struct view_column); } column;
	struct { VEC(struct view_row); } row;
};

struct view {
	struct arena arena;
	struct { VEC(const char *); } head;
	struct { VEC(struct view_table *); } table;
	struct { VEC(const char *); } foot;
};

#endif
