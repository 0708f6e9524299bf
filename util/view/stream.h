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
	/*
	 * Cells with the words that formats for people show around them (words of the raw dump):
	 * "pid {pid} at {ip:#x}\n". Each {KEY:FORM} stands for the next value. FORM is that of printf without
	 * the percent sign: "#x", "016x", "5d", "-5d"; nothing: as the type of the value wants it; "?TEXT":
	 * that text if the value is not 0. Formats of values take keys and values only; a value without a key
	 * is not for them.
	 */
	void (*words)(struct strbuf *out, const char *words, const struct view_value *value, size_t nr);
	/* a text of lines that is shown as it is: its control characters are escaped already */
	void (*text)(struct strbuf *out, const char *key, const char *text);
	/* bytes as they are */
	void (*bytes)(struct strbuf *out, const char *key, const u8 *p, size_t len);
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

/* values for words */
#define STREAM_NUMBER(v) { .type = VIEW_NUMBER, .number = (v) }
#define STREAM_SIGNED(v) { .type = VIEW_SIGNED, .number = (u64)(s64)(v) }
#define STREAM_ADDRESS(v) { .type = VIEW_ADDRESS, .number = (v) }
#define STREAM_REAL(v) { .type = VIEW_REAL, .real = (v) }
#define STREAM_TEXT(v) { .type = VIEW_TEXT, .text = (v) }
#define STREAM_BOOL(v) { .type = VIEW_BOOL, .number = !!(v) }
#define stream_words(f, out, words_, ...) \
	(f)->words(out, words_, (const struct view_value[]){ __VA_ARGS__ }, \
		   ARRAY_SIZE(((const struct view_value[]){ __VA_ARGS__ })))
/* words alone */
static inline void stream_say(const struct stream_format *f, struct strbuf *out, const char *words)
{
	f->words(out, words, NULL, 0);
}

/*
 * The next {KEY:FORM} of words: copies its key and sets *form (not terminated by NUL, but by a brace);
 * returns what is after it, or NULL where there is none. *ret_before: length of the words before it.
 */
#define STREAM_KEY_MAX 32u
const char *stream_next_value(const char *words, size_t *ret_before, char *key, const char **form);

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
