/*
 * View: the only contract between answers (util/) and presentation (ui/): tables with titles, columns and
 * rows, optional call graphs below rows, facts and text blocks around them. ui/ knows no perf type at all. A
 * report can have a million cells, so they are not stored: a table computes a cell when it is asked for it,
 * from any thread: as a typed value, or as text for formats that people read. Strings belong to the view's
 * arena.
 */
#ifndef PERF_VIEW_VIEW_H
#define PERF_VIEW_VIEW_H

#include "../base/arena.h"
#include "../base/strbuf.h"
#include "../base/vec.h"

enum view_type {
	VIEW_TEXT,		/* names and words */
	VIEW_NUMBER,		/* a count, in the column's unit */
	VIEW_SIGNED,		/* one that can be negative: (s64)number */
	VIEW_REAL,		/* a number that need not be whole */
	VIEW_SHARE,		/* percent */
	VIEW_TIME,		/* nanoseconds */
	VIEW_ADDRESS,
	VIEW_BOOL,		/* number is 0 or 1 */
	VIEW_ABSENT,		/* there is no value */
	VIEW_LIST,		/* values; facts alone have this type */
	VIEW_OBJECT,		/* facts */
};

struct view_list;
struct view_time;
struct view_listing;
struct view_slot;
struct view_object;

struct view_value {
	enum view_type type;
	u8 decimals;		/* of REAL: digits after the point in text */
	union {
		u64 number;	/* NUMBER, SIGNED, TIME, ADDRESS, BOOL */
		double real;	/* REAL, SHARE */
		const char *text; /* TEXT; ABSENT: why */
		const struct view_list *list;
		const struct view_object *object;
	};
};

/* a fact about the whole: about the file, or about an event */
struct view_fact {
	const char *key;	/* "hostname" */
	struct view_value value;
};
struct view_facts { VEC(struct view_fact); };

/* the values of a list: all plain, or all objects */
struct view_list {
	size_t nr;
	const struct view_value *v;
};
struct view_object {
	size_t nr;
	const struct view_fact *v;
};
struct view_values { VEC(struct view_value); };

/* a number of a summary, with the words around it in text; several can make one line */
struct view_words {
	const char *key;	/* "bytes-freed" */
	struct view_value value;
	u8 decimals;		/* of shares and reals as text */
	const char *before, *after;
	u8 width;		/* right-aligned to it; 0: as wide as it is */
};

/* a block of text below the tables: a title, lines; of formats that show values, facts under a key */
struct view_summary {
	const char *key, *title;	/* title: NULL: text has only the lines */
	bool framed;			/* the title has a long line above and below it */
	bool text_only;			/* formats that show values have it elsewhere */
	struct { VEC(struct view_words); } words;
};

struct view_column {
	const char *name;	/* key, as in --sort: "overhead" */
	const char *title;	/* "Shared Object" */
	/*
	 * text shows columns of one group together, below its title, with shorter titles: "Mem Op", "Load";
	 * NULL: it is in none
	 */
	const char *group, *title_in_group;
	const char *unit;	/* of numbers: "bytes"; NULL */
	enum view_type type;	/* of the values of its cells; each cell can be absent */
	u32 width;		/* wanted width in text output, title included; 0: as wide as the cells */
	bool each_member;	/* a cell has a value for each event of the table */
	bool right;		/* right-aligned */
	bool fixed;		/* no cell is wider than width */
	bool no_pad;		/* not padded if it is the last column */
	bool whole;		/* lines of text, not names: never cut */
	bool sentences;		/* the last column: wrapped at the end of a line of the terminal */
};

/* a color by the text of a key's cells, for all that is in such a row */
struct view_tint {
	const char *text, *title;
	u16 hue;		/* degrees */
	u8 saturation;		/* percent */
	bool aside;		/* pages with a timeline leave it out of sums until a user asks for it */
};
struct view_tints {
	const char *column;	/* its name */
	const struct view_tint *row;
	u32 nr;			/* at most 255 */
};

/*
 * One node of a call graph. Children are in display order; nodes below the threshold are left out, so the sum
 * of the children can be smaller than their parent. The root has no label. Numbers are sums over everything
 * below the node; self_* is what ends at the node.
 */
struct view_node {
	const char *label;
	const char *note;		/* what is shown after the label in parentheses; NULL: nothing */
	const char *module;		/* the program or library of the code; NULL: unknown */
	bool kernel;			/* kernel code */
	bool unnamed;			/* the label is an address: no function is known there */
	u64 period, nr, self_period, self_nr;	/* nr 0: the number of samples is not known */
	u64 order;			/* orders children with equal periods: largest first */
	u32 file;			/* orders children whose label is equal, too: smallest first */
	u32 nr_slots;			/* self_period by time (slots.h), if the table has a time */
	const struct view_slot *slot;
	struct { VEC(struct view_node *); } child;
};

/* the level of a row, if rows are a tree */
struct view_level {
	u8 depth;		/* 0: the first level */
	bool note;		/* a remark instead of the rows that are not shown */
};

/* a filter of the rows of a table: those with the value of the selected row in a column */
struct view_zoom {
	char key;		/* 'd' */
	const char *column;	/* "dso" */
	const char *value;	/* how the cell begins; NULL: as that of the selected row */
	const char *text;	/* "program or library" */
};

/* how text formats draw a table whose usual layout differs from the tables of report */
struct view_look {
	enum { VIEW_LOOK_PLAIN,		/* a line of titles, an empty one, rows */
	       VIEW_LOOK_BARS,		/* vertical bars between columns, lines above and below the rows */
	       VIEW_LOOK_RULED,		/* vertical bars after columns, titles in a comment line */
	       VIEW_LOOK_DASHED,	/* the title as a line of text, dashes below each column's title */
	} kind;
	/* separated values: what begins the line of titles, and whether a blank follows each separator */
	const char *lead;
	bool spaced;
};

/* what flame graphs show instead of a name in a column, "comm" or "dso" */
struct view_alias {
	const char *column, *name, *shown;
};

struct view_table {
	const struct view_look *look;	/* NULL: as report */
	const char *name;		/* "callsite"; NULL: its events say what it shows */
	/* what formats of values call it and its neighbours of equal section; NULL: as the view says */
	const char *section;
	const char *title;		/* above it, between two long lines; NULL: none */
	struct { VEC(const char *); } head;	/* comment lines above it, without "# " */
	/* names of the events that it shows, side by side if there are several */
	struct { VEC(const char *); } member;
	struct view_facts fact;
	struct { VEC(struct view_column); } column;
	size_t nr_rows;
	/* appends the text of a cell, not padded; const and thread-safe */
	void (*cell)(const struct view_table *t, size_t row, u32 column, struct strbuf *out);
	/*
	 * the value of a cell; in each_member columns, of one event. Texts belong to the view or are
	 * appended to scratch. Const and thread-safe; NULL: all cells are texts
	 */
	void (*value)(const struct view_table *t, size_t row, u32 column, u32 member, struct strbuf *scratch,
		      struct view_value *ret);
	/* cells of the rows after this one are needed soon, in order */
	void (*prefetch)(const struct view_table *t, size_t row);
	const void *ctx;			/* of cell, value and prefetch */
	/*
	 * rows are a tree: the last nr_levels columns are keys, and a row shows the key of its depth. 0: a
	 * flat table
	 */
	const struct view_level *level;
	u32 nr_levels;
	struct view_node **tree;		/* call graph of each row, NULL entries; or NULL */
	u64 total_period, total_nr;		/* what call-graph shares refer to */
	const u64 *row_total;			/* by row: what they refer to instead; or NULL */
	const char *const *before_row;		/* by row: lines of text before it, or NULL; or NULL */
	const u8 *row_color;	/* by row: color of its line on a terminal (SGR: 31, 91), 0: none; or NULL */
	double min_percent;			/* of a path that flat and folded graphs list */
	const struct view_time *time;		/* NULL: nobody asked for it */
	/* the same as view_node.slot: the period of a row that is in no call graph */
	const struct view_slot *(*slots)(const struct view_table *t, size_t row, u32 *ret_nr);
	/* the table of an earlier profile with which flame graphs compare this one; NULL: none */
	const struct view_table *before;
	const struct view_alias *alias;		/* of both tables */
	u32 nr_aliases;
	const struct view_tints *tints;		/* colors of flame graphs; NULL: the usual ones */
	const struct view_zoom *zoom;		/* of several with a key, the first whose column exists */
	u32 nr_zooms;
};

struct view {
	struct arena arena;
	const char *name;			/* of the command: "report" */
	const char *tables;			/* what formats of values call its tables; NULL: "events" */
	struct view_facts fact;
	struct { VEC(const char *); } note;	/* sentences for formats that do not show head and foot */
	struct { VEC(const char *); } brief;	/* lines that interfaces show first: what matters most */
	struct { VEC(const char *); } head;
	struct { VEC(struct view_table *); } table;
	struct { VEC(const char *); } foot;
	struct { VEC(struct view_summary *); } summary;
	bool summaries_first;			/* text shows them above the tables */
	/* code of the hottest functions (listing.h), for formats that are pages; it belongs to the command */
	struct { VEC(const struct view_listing *); } code;
	const char *no_code;			/* why there is none; NULL: nobody asked for it */
	struct { VEC(void *); } owned;		/* heap blocks freed with the view */
	struct { VEC(struct arena); } arenas;	/* of workers that made parts of it */
};

void view_free(struct view *v);
/* adds a fact; keys and texts are not copied. A text that is NULL adds nothing */
void view_fact_text(struct view_facts *f, const char *key, const char *text);
void view_fact_number(struct view_facts *f, const char *key, u64 number);
void view_fact_bool(struct view_facts *f, const char *key, bool yes);
/* a value that holds a copy, which belongs to the arena; the original is empty afterwards */
struct view_value view_list_of(struct view_values *values, struct arena *arena);
struct view_value view_object_of(struct view_facts *facts, struct arena *arena);
/* a fact that is such a list; an empty one adds nothing */
void view_fact_list(struct view_facts *f, const char *key, struct view_values *values, struct arena *arena);
/* an empty block at the end of the view; texts are kept as they are, and may be NULL */
struct view_summary *view_add_summary(struct view *v, const char *key, const char *title);
/* adds a number to a block; the item, whose after is the end of the line, is valid until the next call */
struct view_words *view_add_number(struct view_summary *b, const char *key, const char *before, u64 number);
/* appends a plain value as text: "1234", "12.5%" with that many decimals, "0xff" */
void view_value_text(const struct view_value *v, u8 decimals, struct strbuf *out);

#endif
