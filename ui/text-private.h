/* What the text formats share: the document around the rows, cells, and rows that are a tree. */
#ifndef PERF_UI_TEXT_PRIVATE_H
#define PERF_UI_TEXT_PRIVATE_H

#include "text.h"
#include "../util/base/strbuf.h"

struct layout;

/* what differs */
struct text_style {
	/* the lines of titles, with their ends */
	void (*titles)(const struct layout *l, struct strbuf *sb);
	/* a row without its end of line; cell: scratch */
	void (*row)(const struct layout *l, size_t row, struct strbuf *sb, struct strbuf *cell);
	/* what follows the rows of a table with a look of its own; or NULL */
	void (*end)(const struct layout *l, struct strbuf *sb);
	const char *block;	/* begins each line of a block */
};

struct layout {
	const struct text_opts *o;
	const struct text_style *style;
	const struct view_table *t;
	u32 *width;		/* of each column */
	bool *cut;		/* columns whose longer names end in "..." */
};

/* a view in that style: 0, or a negative errno of the stream */
int text_document(const struct view *v, const struct text_opts *o, const struct text_style *style, FILE *out);
bool text_width_asked(const struct text_opts *o, u32 column);
/* what columns before column nr take of a line */
u32 text_line_width(const struct layout *l, u32 nr);
/* sets width and cut of a layout from its options and table */
void text_choose_widths(struct layout *l);

/* cuts text that was added after start to a width, with "..." at its end */
void text_cut_name(struct strbuf *sb, size_t start, u32 width);
/* text cut or padded to a width */
void text_padded(struct strbuf *sb, const char *text, u32 width, bool right, bool pad);
/*
 * two blanks and the cell, written where it is to stand, then moved or cut where it has to be;
 * last: of the line
 */
void text_cell(const struct layout *l, size_t row, u32 i, bool last, struct strbuf *sb);

/* where rows are a tree: both lines of titles, and a row without its end of line */
void text_level_titles(const struct layout *l, struct strbuf *sb);
void text_level_row(const struct layout *l, size_t row, struct strbuf *sb, struct strbuf *cell);
/* titles of the keys, one after the other, and the end of the line */
void text_key_titles(const struct layout *l, struct strbuf *sb);
/* blanks before a column: none between columns of a group */
u32 text_gap(const struct view_table *t, u32 column);
/* the line above the titles: groups of columns; nothing if there are none. nr: columns that are considered */
void text_group_titles(const struct layout *l, u32 indent, u32 nr, struct strbuf *sb);
/* the title below that line, or the whole one */
const char *text_title(const struct view_column *c);
#define TEXT_LEVEL_INDENT 3
/* columns before the keys */
static inline u32 text_nr_numbers(const struct view_table *t)
{
	return t->column.nr - t->nr_levels;
}

#endif
