/*
 * Lines: an answer that comes block by block, as measurements do: at the end of a run, of each interval, and
 * of all intervals. A block has lines (a count each, with values derived from it) or, if only derived values
 * are wanted, a table of them, and facts about the whole. All cells are typed values; the formats of ui/ give
 * them their look. Strings belong to the block's arena or outlive it.
 */
#ifndef PERF_VIEW_LINES_H
#define PERF_VIEW_LINES_H

#include "view.h"

enum view_grade { VIEW_PLAIN, VIEW_GOOD, VIEW_BAD };	/* what a threshold says */

/* a derived value beside a count */
struct view_derived {
	const char *name;	/* "insn per cycle", "tma_retiring"; "" */
	struct view_value value;/* REAL; ABSENT: it could not be derived, why or NULL */
	const char *unit;	/* "", "GHz", "%", "K/sec" */
	enum view_grade grade;
	bool by_name;		/* asked for by name (-M): the name is a word for machines */
	u8 width;		/* of the number in text */
	bool gap;		/* and one more blank after it */
};

/* whether there is a count */
enum view_state { VIEW_COUNTED, VIEW_NOT_COUNTED, VIEW_NOT_SUPPORTED };

/* one count in one place, or (name NULL) only more derived values of the line above */
struct view_line {
	u32 place;		/* index into block.places */
	u32 idx;		/* of what was counted; the answer's own */
	u32 nr;			/* counters summed up */
	const char *name;	/* of what was counted */
	const char *group;	/* control group; or NULL */
	enum view_state state;
	struct view_value value;/* REAL; ABSENT where the state says so: why, or NULL */
	const char *unit;	/* "", "msec", "Joules" */
	double deviation;	/* of repeated runs, in percent; negative: not repeated */
	u64 run_ns;		/* how long it was on a counter */
	bool enabled;		/* it was enabled for some time */
	double running_percent;	/* its share of that time; 100: never multiplexed */
	u32 derived, nr_derived;/* into block.derived */
};

/* what the places of a block are */
struct view_axis {
	const char *key;	/* "socket"; NULL: all is one place, which has no name */
	const char *title;	/* of its column in text */
	u32 width;		/* of that column */
	u32 head;		/* a name is right-aligned to this width up to its last number */
	bool counters;		/* the number of counters is shown beside it */
	bool titled;		/* in a table its column has a title even without times */
};

struct view_place {
	const char *name;	/* "S0-D0-C1", "CPU0", "sleep-1234" */
	const char *key;	/* instead of the key of the axis; or NULL */
	u32 number_at;		/* where the last number of the name begins */
	u32 digits;		/* digits that text has room for */
	struct view_facts fact;	/* "socket": 0, ... */
};

struct view_places {
	VEC(struct view_place);
	const struct view_axis *axis;
	struct arena arena;
};

enum view_block_kind {
	VIEW_RUN, VIEW_INTERVAL,
	VIEW_SUMMARY,		/* the total after intervals */
	VIEW_REMARKS,		/* only the notes, where no foot came that had them */
};

struct view_block {
	struct arena arena;
	enum view_block_kind kind;
	const struct view_places *places;
	u64 time_ns;		/* of an interval: since the start */
	struct { VEC(struct view_line); } line;
	struct { VEC(struct view_derived); } derived;
	/* in place of counts a table of derived values; lines then say where its rows are */
	const struct view_table *table;
	/* the end of a run: negative where it is not known */
	double elapsed_sec, user_sec, sys_sec, elapsed_stddev;
	u32 nr_runs;		/* 1: not repeated */
	struct { VEC(double); } run_sec;	/* elapsed time of each run */
	const char *title;	/* what was measured: "'sleep 1'", "process id '12'" */
	struct { VEC(const char *); } note;	/* sentences for the end */
};

/* who shows blocks: a format of ui/ that the command has chosen */
struct view_sink {
	/* 0, or a negative errno where it cannot be written */
	int (*block)(struct view_sink *s, const struct view_block *b);
	/* after the last block, even if there was no block */
	int (*end)(struct view_sink *s);
	bool remarks;		/* it shows blocks of remarks */
};

void view_block_release(struct view_block *b);
void view_places_release(struct view_places *p);
/* true if a line belongs to a control group; true if runs were repeated */
bool view_block_grouped(const struct view_block *b);
bool view_block_repeated(const struct view_block *b);

/* true where it is a number, and finite */
bool view_value_known(const struct view_value *v);
/*
 * The words after the number of a derived value: "CPUs utilized", "% of all branches", "K/sec",
 * "%  tma_retiring". for_machines: the name in separated values and JSON, which omit the '%' unless the value
 * was asked for by name.
 */
void view_derived_label(const struct view_derived *d, bool for_machines, struct strbuf *out);
/* the number as text has it: "   1.50 " */
void view_derived_number(const struct view_derived *d, struct strbuf *out);
/* number and label: "   1.50  insn per cycle"; the number in this colour ("": none) */
void view_derived_text(const struct view_derived *d, const char *color, struct strbuf *out);

#endif
