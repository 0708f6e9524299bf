/*
 * Rows: tables over an array of structs. Each column is a row of a table of fields, which says how a value is
 * taken from a struct; the same fields are keys to sort by. For answers whose rows are all in memory.
 */
#ifndef PERF_VIEW_ROWS_H
#define PERF_VIEW_ROWS_H

#include "../base/err.h"
#include "view.h"

/* which formats show a column */
#define VIEW_FORM_TEXT		(1u << 0)	/* padded text */
#define VIEW_FORM_SEPARATED	(1u << 1)
#define VIEW_FORM_VALUES	(1u << 2)	/* typed values */

struct view_field {
	struct view_column column;	/* a width of 0, or one that a text exceeds: as wide as its texts */
	u32 tables;			/* bits of the answer's kinds of tables; 0: all */
	u16 forms;			/* 0: all */
	u8 decimals;			/* of shares and reals as text */
	/* one of these two gives the value, and what rows are sorted by; neither: not a sort key */
	u64 (*number)(const void *row);
	double (*real)(const void *row);
	/* shown instead, of columns of type VIEW_TEXT: a text, or two numbers with a slash between them */
	const char *(*text)(const void *row);
	u64 (*first)(const void *row), (*second)(const void *row);
	/* why this row has no value in the column, NULL: it has one; text shows nothing then */
	const char *(*absent)(const void *row);
	/* appends what padded text shows instead of the number: "1.50 ms" */
	void (*format)(u64 number, struct strbuf *out);
};

/* usual columns: names left, numbers right; two numbers that share a column of padded text, and each alone */
#define VIEW_NAME(key, title_, type_, width_) \
	.column = { .name = key, .title = title_, .type = type_, .width = width_ }
#define VIEW_COUNT(key, title_, type_, width_) \
	.column = { .name = key, .title = title_, .type = type_, .width = width_, .right = true }
#define VIEW_PAIR(key, title_, width_) VIEW_COUNT(key, title_, VIEW_TEXT, width_), .forms = VIEW_FORM_TEXT
#define VIEW_HALF(key, title_, type_, unit_) \
	.column = { .name = key, .title = title_, .type = type_, .unit = unit_, .right = true }, \
	.forms = VIEW_FORM_SEPARATED | VIEW_FORM_VALUES

#define VIEW_MAX_KEYS 8u
struct view_sort {
	const struct view_field *key[VIEW_MAX_KEYS];
	u32 nr;
	u64 (*tie)(const void *row);	/* rows that are equal in all keys: smallest first */
};

/* "a,b": rows are in the order of these keys, largest first. -EINVAL with err for a wrong or repeated word */
int view_sort_parse(struct view_sort *sort, const struct view_field *field, u32 nr_fields, const char *words,
		    struct err *err);
void view_sort_rows(const struct view_sort *sort, void *row, size_t nr, size_t size);

struct view_rows {
	const struct view_field *field;
	u32 nr_fields;
	u32 form, table; /* one VIEW_FORM_* and one bit of a kind: the columns that both show */
	const void *row;		/* must outlive the view */
	size_t nr, size;
	const struct view_look *look;	/* of the table; NULL: as report */
	u64 limit; /* number of rows shown; in report's layout a last row of dots says that there are more */
};
struct view_table *view_add_rows(struct view *v, const struct view_rows *rows);

#endif
