/*
 * Stream: records as lines of typed cells. Streams (the lines of script) have no end and no columns: a line
 * has the cells that its kind of record has, in order, and a cell can hold cells of its own, or rows. An
 * answer gives the cells one after another, and a format (ui/) appends them to a buffer as it shows them.
 *
 * The functions keep no state but what the buffer holds, so workers share a format, what was appended can be
 * cut off again, cells that are the same on many lines can be kept as a piece of text, and rows can be put in
 * later. A piece never is the first cell of its line or row.
 */
#ifndef PERF_VIEW_STREAM_H
#define PERF_VIEW_STREAM_H

#include "view.h"

struct stream_format {
	void (*begin)(struct strbuf *out);
	void (*cell)(struct strbuf *out, const char *key, const struct view_value *value);
	/* a cell that holds cells, until end_group */
	void (*begin_group)(struct strbuf *out, const char *key);
	void (*end_group)(struct strbuf *out);
	/* a cell that holds rows, each with cells; next_row between two of them */
	void (*begin_rows)(struct strbuf *out, const char *key);
	void (*begin_row)(struct strbuf *out);
	void (*end_row)(struct strbuf *out);
	void (*next_row)(struct strbuf *out);
	void (*end_rows)(struct strbuf *out);
	void (*end)(struct strbuf *out);
};

/* cells of each type */
static inline void stream_text(const struct stream_format *f, struct strbuf *out, const char *key,
			       const char *text)
{
	f->cell(out, key, &(struct view_value){ .type = VIEW_TEXT, .text = text });
}

static inline void stream_number(const struct stream_format *f, struct strbuf *out, const char *key,
				 u64 number)
{
	f->cell(out, key, &(struct view_value){ .type = VIEW_NUMBER, .number = number });
}

static inline void stream_signed(const struct stream_format *f, struct strbuf *out, const char *key,
				 s64 number)
{
	f->cell(out, key, &(struct view_value){ .type = VIEW_SIGNED, .number = number });
}

static inline void stream_address(const struct stream_format *f, struct strbuf *out, const char *key,
				  u64 address)
{
	f->cell(out, key, &(struct view_value){ .type = VIEW_ADDRESS, .number = address });
}

static inline void stream_time(const struct stream_format *f, struct strbuf *out, const char *key, u64 ns)
{
	f->cell(out, key, &(struct view_value){ .type = VIEW_TIME, .number = ns });
}

static inline void stream_bool(const struct stream_format *f, struct strbuf *out, const char *key, bool yes)
{
	f->cell(out, key, &(struct view_value){ .type = VIEW_BOOL, .number = yes });
}

static inline void stream_absent(const struct stream_format *f, struct strbuf *out, const char *key,
				 const char *why)
{
	f->cell(out, key, &(struct view_value){ .type = VIEW_ABSENT, .text = why });
}

#endif
