/*
 * Tables: profiles as rows of tables, for databases: profile, frame, stack and sample, and where stacks have
 * single samples, sample_at (tables.def). Ids are hashes of what they name, so rows of files that never met
 * are loaded side by side: 63 bits of FNV-1a of the other columns of the row as text, each followed by a
 * newline. The id of a profile is that of all its columns but time and boot, and of its samples. A frame or a
 * stack is one row, however many profiles have it.
 * Texts have no tabs, newlines, quotes and backslashes, so that no reader needs to unescape anything.
 */
#ifndef PERF_UI_TABLES_H
#define PERF_UI_TABLES_H

#include "../util/view/stacks.h"

#define TABLE_MAX_COLUMNS 10u

enum table_id {
#define TABLE(id, ...) TABLE_##id,
#include "tables.def"
#undef TABLE
	NR_TABLES
};

struct tables_column {
	const char *name;
	bool text;		/* false: a signed number of 64 bits */
};

struct table {
	const char *name;
	struct tables_column column[TABLE_MAX_COLUMNS + 1];	/* the first without name ends them */
};
extern const struct table tables[NR_TABLES];

struct tables_cell {
	const char *text;	/* valid during the call; NULL: a number */
	s64 number;
	const char *digits;	/* of a number that is not negative, if they are known already; or NULL */
	u32 len;		/* of text or digits; 0: it was not counted */
};

/* where rows go */
struct tables_sink {
	/* 0, or a negative errno with err. force: what is there is replaced */
	int (*open)(void **ret, const char *path, bool force, struct err *err);
	/* whether the profile is there already: its samples are not added again; NULL: it is not */
	bool (*knows)(void *ctx, s64 profile);
	/* one cell per column; 0 or a negative errno */
	int (*row)(void *ctx, enum table_id table, const struct tables_cell *cell);
	/* ret: of the last row. 0, or a negative errno with err: the output is not to be used */
	int (*close)(void *ctx, int ret, struct err *err);
};

struct tables_writer;
struct tables_writer *tables_new(const struct tables_sink *sink, void *ctx);
/* the events of a profile, each as a row of profile, with weights as two; 0 or the negative errno of a row */
int tables_add(struct tables_writer *w, const struct stacks *s);
/* numbers of rows, by table */
const u64 *tables_rows(const struct tables_writer *w);
void tables_free(struct tables_writer *w);

#endif
