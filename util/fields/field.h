/*
 * Fields: every nameable fact about a sample by which a report can be sorted, or which it can show. Each has
 * a row in fields.def.
 *
 * Counting keeps a field either as a slot (a u64 taken from the sample: pid, cpu, comm, ...) or, if it
 * depends on the code address only (dso, symbol, ...), not at all: it is computed later, once per distinct
 * frame. So -s never costs a symbol look-up per sample. Statistics (overhead, period, samples) are columns
 * computed from an entry's sums.
 */
#ifndef PERF_FIELDS_FIELD_H
#define PERF_FIELDS_FIELD_H

#include "../base/strbuf.h"
#include "../event/sample.h"
#include "../machine/machine.h"
#include "../view/view.h"

struct features;
struct field_worker;
struct names;
struct symbols;

/* One sample, or one branch of its stack, resolved as far as fields need it; on the worker's stack. */
struct resolved_sample {
	const struct machine *machine;
	const struct features *features;	/* of the file */
	const struct sample *sample;
	/* the branch that is counted, or NULL if samples are counted */
	const struct branch_entry *branch;
	struct sample_ctx ctx;
	u32 comm;		/* machine comm id */
	u32 parallelism;	/* number of tasks that ran at that time; 0 if nothing needs it */
	struct loc loc;		/* of sample->ip */
	struct field_worker *worker;	/* the thread's own, see field-worker.h */
};

enum field_kind {
	FIELD_STAT,		/* from an entry's sums; no key */
	FIELD_SLOT,		/* key from the sample */
	FIELD_FRAME,		/* key from the frame, after naming */
};

/* what a field needs of the recording, or of later phases */
#define NEEDS_NONE	0u
#define NEEDS_SYM	(1u << 0)	/* frames must keep their address, and symbols are loaded */
#define NEEDS_SRCLINE	(1u << 1)
#define NEEDS_CHILDREN	(1u << 2)	/* only with --children */
#define NEEDS_BRANCH	(1u << 3)	/* only if branches are counted: resolved_sample.branch is not NULL */
#define NEEDS_WEIGHTS	(1u << 4)
/* formats of tracepoints, and names of kernel addresses while counting */
#define NEEDS_TRACE	(1u << 5)
#define NEEDS_MEM	(1u << 6)	/* only if samples count by weight */
#define NEEDS_PARALLELISM (1u << 7)	/* context switches in the file */
#define NEEDS_LATENCY	(1u << 8)	/* latencies are counted */
#define NEEDS_HISTORY	(1u << 9)	/* only with --branch-history */
#define NEEDS_BRANCH_SUMS (1u << 10)	/* sums of branches are counted */
#define NEEDS_TYPE	(1u << 11)	/* names_types() was called */
#define NEEDS_MEM_PARTS	(1u << 12)	/* sums of the parts of memory accesses are counted */
#define NEEDS_IPC	(1u << 13)	/* names.ipc is filled in before rows are shown */
#define NEEDS_STATES	(1u << 14)	/* samples are slices of wall time: sums by state are counted */

/* sums of one entry */
struct stat_sums {
	u64 nr, period;			/* of samples that hit it itself */
	u64 nr_children, period_children; /* of the samples that hit it or something that it called */
	u64 period_sys, period_us, period_guest_sys, period_guest_us;
	/* each period divided by the number of tasks that ran, in thousandths */
	u64 latency, latency_children;
	u64 weight[3];
	/* of branches, with callees (total: cycles only); or of slices of wall time by enum wall_state */
	union {
		struct { u64 branches, predicted, aborts, cycles; };
		u64 state[4];
	};
	const u64 *mem_part;		/* period by enum data_src_part; NULL: not counted */
};

/* options of fields */
struct field_opts {
	u64 time_quantum;		/* step of the time field in ns; 0: 100 ms */
	bool time_ns;			/* nanoseconds instead of microseconds in the time field */
	/* payloads of tracepoints as the numbers of their fields, not as text */
	bool raw_trace;
};

struct field_ctx {
	const struct machine *machine;
	const struct symbols *symbols;
	const struct field_opts *opts;
	struct names *names;		/* frames -> symbols, texts; see util/resolve/names.h */
	const struct stat_sums *total;	/* of the event, for percentages */
	const struct field_worker *worker;	/* while keys are merged: the worker whose slots they are */
	int verbose;
	bool raw_address;
};

/* FIELD_SLOT: the meaning of what slot() returns */
enum field_address {
	ADDRESS_NONE,		/* it is the key */
	/* an address of code on any side; its frame is counted, and of_frame() makes the key */
	ADDRESS_BRANCH,
	ADDRESS_DATA,		/* an address of data on the side of the sample */
};

struct field {
	const char *name, *title;
	enum field_kind kind;
	enum field_address address;
	u32 needs;
	u32 width;			/* minimum */
	u64 sample;	/* PERF_SAMPLE_*: what samples must have that only some recordings ask for */
	const char *help;
	u64 (*slot)(const struct resolved_sample *rs);				/* FIELD_SLOT */
	/* instead of slot, for fields that are created at run time */
	u64 (*slot_of)(const struct field *f, const struct resolved_sample *rs);
	/*
	 * title and minimum width in the table of an event, NULL if that has no such column; NULL: the same
	 * in all tables
	 */
	const char *(*title_of)(const struct field *f, u32 event, u32 *ret_width);
	/* FIELD_FRAME, and slots that are addresses */
	u64 (*of_frame)(const struct field_ctx *ctx, u32 frame);
	/*
	 * several threads call cmp, prefix, format and length at a time: they read names and texts, but add
	 * none
	 */
	/* order of keys, smaller first; NULL: numeric */
	int (*cmp)(const struct field_ctx *ctx, u64 a, u64 b);
	/*
	 * the order of different keys that cmp regards as equal, so that the order is always determined;
	 * NULL: there are no such keys
	 */
	int (*settle)(const struct field_ctx *ctx, u64 a, u64 b);
	/*
	 * a number in the same order as cmp, as far as it goes; keys with equal prefixes are compared by cmp.
	 * May be NULL
	 */
	u64 (*prefix)(const struct field_ctx *ctx, u64 key);
	void (*format)(const struct field_ctx *ctx, u64 key, struct strbuf *out);
	/*
	 * the width of a key in bytes, if it is smaller than what format appends, or known without
	 * formatting; NULL: the width of what format appends
	 */
	u32 (*length)(const struct field_ctx *ctx, u64 key, struct strbuf *scratch);
	/* FIELD_STAT: the number by which entries are sorted (largest first), and its text */
	u64 (*stat)(const struct field_ctx *ctx, const struct stat_sums *s);
	void (*format_stat)(const struct field_ctx *ctx, const struct stat_sums *s, struct strbuf *out);
	const char *unit;		/* of numbers: "bytes"; NULL */
	/* type of its values; for FIELD_STAT of VIEW_REAL or VIEW_SHARE, real() returns them */
	enum view_type type;
	u32 mem_part;			/* 1 + enum data_src_part: shown only if an access is in that part */
	double (*real)(const struct field_ctx *ctx, const struct stat_sums *s);
	/* a key of VIEW_REAL; not finite: there is no value */
	double (*real_key)(const struct field_ctx *ctx, u64 key);
	/*
	 * VIEW_TEXT: appends the name that format shows with marks around it; returns false and the reason if
	 * there is none. NULL: the name is what format appends
	 */
	bool (*bare_name)(const struct field_ctx *ctx, u64 key, struct strbuf *out);
	/*
	 * FIELD_SLOT: the key of entries if not that of counting (a text id), computed once per
	 * distinct key; or NULL
	 */
	u64 (*canon)(const struct field_ctx *ctx, u64 slot);
	bool right;			/* right-aligned numbers */
	bool percent;			/* FIELD_STAT: the text is a share */
	/* a key of 0, or of (u32)-1, means that nothing was recorded */
	bool zero_is_absent, minus_is_absent;
	bool slot_is_text;		/* FIELD_SLOT: of the field worker; canon makes it one of names */
	bool of_name;			/* FIELD_FRAME: the same for all frames of one name */
	bool is_name;			/* and it differs for frames of different names */
	bool is_frame;			/* FIELD_FRAME: the key is the frame, the first one at its address */
	bool no_pad;			/* not padded if it is the last column */
	bool whole;			/* a line of text, not a name: never cut */
	/* a number that is shown multiplied by the number of samples in the row */
	bool times_nr;
	const struct field *as_column;	/* the field that --fields uses for its name; NULL: itself */
	/* text shows columns of a group side by side, below its title; NULL: not in a group */
	const char *group, *title_in_group;
};

extern const struct field *const fields[];	/* NULL-terminated, in the order of the help text */

/* the title in the table of an event, NULL if that has no such column; *width may grow */
const char *field_title(const struct field *f, u32 event, u32 *width);

/* the width of a column: at least that of its title, in its group if it has one */
u32 field_title_width(const struct field *f, const char *title, u32 width);

/* the typed value of a key; texts are appended to scratch */
void field_value(const struct field *f, const struct field_ctx *ctx, u64 key, struct strbuf *scratch,
		 struct view_value *ret);
/* the same for a FIELD_STAT */
void field_stat_value(const struct field *f, const struct field_ctx *ctx, const struct stat_sums *s,
		      struct view_value *ret);

/* for help: "make rows by these keys: overhead ..." */
extern const char field_sort_help[];
/* why a name that users know is not a field here; NULL: the name is unknown */
const char *field_missing(const char *name);

/* exact name, else the only field that starts with it; NULL, and *ret_ambiguous is set if several do */
const struct field *field_find(const char *name, bool *ret_ambiguous);

#endif
