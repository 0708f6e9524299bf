/* What the text outputs share: cells, and rows that are a tree. */
#ifndef PERF_UI_TEXT_PRIVATE_H
#define PERF_UI_TEXT_PRIVATE_H

#include "text.h"
#include "../util/base/strbuf.h"

struct layout {
	const struct text_opts *o;
	const struct view_table *t;
	u32 *width;		/* of each column */
};

/* text cut or padded to a width */
void text_padded(struct strbuf *sb, const char *text, u32 width, bool right, bool pad);
/* text without what would shift the columns of separated values: each separator becomes a dot, as scripts expect */
void text_plain(struct strbuf *sb, const char *text, char separator);
/* two blanks and the cell, written where it is to stand, then moved or cut where it has to be; last: of the line */
void text_cell(const struct layout *l, size_t row, u32 i, bool last, struct strbuf *sb);
/* the cell with a separator in front, unless it is the first; cell: scratch */
void text_plain_cell(const struct layout *l, size_t row, u32 i, struct strbuf *sb, struct strbuf *cell);

/* where rows are a tree: both lines of titles, and a row without its end of line */
void text_level_titles(const struct layout *l, struct strbuf *sb);
void text_level_row(const struct layout *l, size_t row, struct strbuf *sb, struct strbuf *cell);

#endif
