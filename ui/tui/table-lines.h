/*
 * Table lines: which lines of a table are to be shown: rows that pass the filters, without those below closed
 * rows of a tree, and the nodes of open call graphs. Keeps a byte per row and what was opened; no text.
 */
#ifndef PERF_TUI_TABLE_LINES_H
#define PERF_TUI_TABLE_LINES_H

#include "../../util/base/hash.h"
#include "../../util/view/view.h"

#define TABLE_MAX_FILTERS 8

struct table_filter {
	u32 column;
	char *text;		/* heap */
	bool contains;		/* else: the cell equals it; prefix: begins with it */
	bool prefix;
};

struct table_lines {
	const struct view_table *t;
	u8 *open;			/* by row */
	u8 *small;			/* by row: its share is below the limit; NULL: there is none */
	struct { VEC(u32); } row;	/* that are shown */
	struct { VEC(u64); } first;	/* line of each of them, and the number of lines */
	/* open nodes: all but those that were toggled, or the toggled ones alone */
	bool nodes_open;
	struct hidx toggled_idx;
	struct { VEC(const struct view_node *); } node;
	struct { VEC(bool); } toggled;
	struct table_filter filter[TABLE_MAX_FILTERS];
	u32 nr_filters;
};

/* a line: a row, or a node of its graph */
struct table_line {
	u32 row;
	const struct view_node *node;	/* NULL: the row itself */
	const struct view_node *parent;	/* of the node */
	u32 depth;			/* of a node, from 0 */
	bool run;			/* goes on with the same samples as the line above */
	bool can_open, is_open;
};

void table_lines_init(struct table_lines *l, const struct view_table *t);
void table_lines_release(struct table_lines *l);
/*
 * a hash of the names of each row, by which it is found again in another copy of the table; heap
 */
u64 *table_row_keys(const struct view_table *t);
/* opens the rows that are open in the lines of an older copy; keys: of the rows of both */
void table_lines_open_as(struct table_lines *l, const u64 *key, const struct table_lines *old,
			 const u64 *old_key);
/* computes what is shown after filters or open rows were changed */
void table_lines_update(struct table_lines *l);
u64 table_lines_nr(const struct table_lines *l);
/* the line number at, below table_lines_nr() */
struct table_line table_lines_at(const struct table_lines *l, u64 at);
/* the line of a row; HIDX_NONE for rows that are not shown */
u64 table_lines_of_row(const struct table_lines *l, u32 row);
/* opens or closes one level; false: there is nothing below */
bool table_lines_toggle(struct table_lines *l, u64 at);
/* opens or closes all below the row of a line */
void table_lines_toggle_all_below(struct table_lines *l, u64 at);
/* opens or closes a node with all below it; of a row, the same as the function above */
void table_lines_toggle_below(struct table_lines *l, u64 at);
void table_lines_set_all(struct table_lines *l, bool open);
/* text is copied; replaces a filter of the same kind of that column. An empty text removes it */
void table_lines_filter(struct table_lines *l, const struct table_filter *f);
/* takes over small, which hides rows; NULL shows all again */
void table_lines_hide(struct table_lines *l, u8 *small);
/* removes the last filter; false: there is none */
bool table_lines_pop_filter(struct table_lines *l);

#endif
