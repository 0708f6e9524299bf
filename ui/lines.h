/*
 * Lines: ways to show blocks of lines as they come (view/lines.h); a row of formats.def each. A format
 * appends a block to a strbuf; the printer is the sink that writes it out. Numbers are the same under any
 * locale; names that hold separators, quotes or control characters are quoted or escaped. A value
 * that is not a number (nan) is an empty field, or null.
 */
#ifndef PERF_UI_LINES_H
#define PERF_UI_LINES_H

#include "../util/base/json-out.h"
#include "../util/base/strbuf.h"
#include "../util/view/lines.h"

struct lines_opts {
	const char *separator;	/* of separated values; NULL */
	bool titles;		/* separated values: the first line names the columns */
	bool plain_summary;	/* separated values: the lines of a summary do not say so */
	bool big_num;		/* text: thousands apart */
	bool runs;		/* text: the time of each run */
	bool clear;		/* text: the screen is cleared before each interval */
	bool color;		/* text: grades are coloured */
	bool quiet;		/* nothing is written */
	u32 column_width;	/* text: of a column of a table; 0: default */
};

/* what a format has written so far; zeroed at the start */
struct lines_state {
	u32 nr_blocks;
	struct strbuf header;	/* the line of columns that was written last */
	struct json json;	/* the document, open from the first block to its end */
};
void lines_state_release(struct lines_state *st);

struct lines_format {
	const char *name;	/* "text" */
	void (*block)(const struct view_block *b, const struct lines_opts *o, struct lines_state *st,
		      struct strbuf *out);
	/* what follows the last block, even if there was no block; or NULL */
	void (*end)(struct lines_state *st, struct strbuf *out);
	bool remarks;		/* it shows blocks of remarks */
};
/* NULL: no format has that name */
const struct lines_format *lines_format_find(const char *name);

/* a sink that writes to a descriptor */
struct lines_printer {
	struct view_sink sink;
	const struct lines_format *format;
	const struct lines_opts *o;
	int fd;
	struct lines_state state;
};
void lines_printer_init(struct lines_printer *p, const struct lines_format *format,
			const struct lines_opts *o, int fd);
void lines_printer_release(struct lines_printer *p);

/* ---- what formats share ---- */

/* "seconds.nanoseconds" */
void lines_time(struct strbuf *out, u64 ns);
/* v with that many decimals and a point */
void lines_fixed(struct strbuf *out, double v, int decimals);
/* the words of a place; "" where all is one */
const char *lines_place(const struct view_block *b, const struct view_line *l);
/* "not counted" */
const char *lines_state_name(enum view_state state);
/* "good"; NULL: plain */
const char *lines_grade_name(enum view_grade grade);
/* of a cell of the block's table */
struct view_value lines_cell(const struct view_block *b, size_t row, u32 column);
/* writes header, a line of columns, if it differs from the header written last; takes it over */
void lines_header(struct strbuf *out, struct lines_state *st, struct strbuf *header);

/* the formats */
#define LINES(name, block, end, remarks) \
	void block(const struct view_block *b, const struct lines_opts *o, struct lines_state *st, \
		   struct strbuf *out);
#include "formats.def"
void json_lines_end(struct lines_state *st, struct strbuf *out);

#endif
