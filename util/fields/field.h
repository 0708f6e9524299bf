/*
 * Fields: every nameable fact about a sample that a report can be sorted by or show. A row in fields.def each.
 *
 * Counting keeps a field either as a slot (a u64 taken from the sample: pid, cpu, comm, ...) or, where it depends on the code
 * address alone (dso, symbol, ...), not at all: it is computed later, once per distinct frame. So -s never costs a symbol
 * look-up per sample. Statistics (overhead, period, samples) are columns computed from an entry's sums.
 */
#ifndef PERF_FIELDS_FIELD_H
#define PERF_FIELDS_FIELD_H

#include "../base/strbuf.h"
#include "../session/session.h"
#include "../view/view.h"

struct names;
struct field_worker;

/* One sample, or one branch of its stack, resolved as far as fields ask for; on the worker's stack. */
struct resolved_sample {
	const struct session *session;
	const struct sample *sample;
	const struct branch_entry *branch;	/* what is counted where branches are, else NULL */
	struct sample_ctx ctx;
	u32 comm;		/* machine comm id */
	u32 parallelism;	/* tasks that ran then; 0 where nothing asks */
	struct loc loc;		/* of sample->ip */
	struct field_worker *worker;	/* the thread's own, see field-worker.h */
};

enum field_kind {
	FIELD_STAT,		/* from an entry's sums; no key */
	FIELD_SLOT,		/* key from the sample */
	FIELD_FRAME,		/* key from the frame, after naming */
};

/* what a field needs of the recording or of later phases */
#define NEEDS_NONE	0u
#define NEEDS_SYM	(1u << 0)	/* frames must keep their address and symbols are loaded */
#define NEEDS_SRCLINE	(1u << 1)
#define NEEDS_CHILDREN	(1u << 2)	/* only with --children */
#define NEEDS_BRANCH	(1u << 3)	/* only where branches are counted: hit.branch is not NULL */
#define NEEDS_WEIGHTS	(1u << 4)
#define NEEDS_TRACE	(1u << 5)	/* formats of tracepoints, and names of kernel addresses while counting */
#define NEEDS_MEM	(1u << 6)	/* only where samples count by weight */
#define NEEDS_PARALLELISM (1u << 7)	/* context switches in the file */
#define NEEDS_LATENCY	(1u << 8)	/* latencies are counted */

/* sums of one entry */
struct stat_sums {
	u64 nr, period;			/* of samples that hit it itself */
	u64 nr_children, period_children; /* of those that hit it or something it called */
	u64 period_sys, period_us, period_guest_sys, period_guest_us;
	u64 latency, latency_children;	/* periods shared among the tasks that ran, in thousandths */
	u64 weight[3];
};

/* what users say of fields */
struct field_opts {
	u64 time_quantum;		/* step of the time field in ns; 0: 100 ms */
	bool time_ns;			/* nanoseconds instead of microseconds in the time field */
	bool raw_trace;			/* payloads of tracepoints as their fields' numbers, not as text */
};

struct field_ctx {
	const struct session *session;
	const struct field_opts *opts;
	struct names *names;		/* frames -> symbols, texts; see util/resolve/names.h */
	const struct stat_sums *total;	/* of the event, for percentages */
	const struct field_worker *worker;	/* while its keys are merged: whose slots they are */
	int verbose;
	bool raw_address;
};

/* FIELD_SLOT: what slot() tells */
enum field_address {
	ADDRESS_NONE,		/* the key */
	ADDRESS_BRANCH,		/* an address of code on any side; its frame is counted, and of_frame() makes the key */
	ADDRESS_DATA,		/* an address of data on the sample's side */
};

struct field {
	const char *name, *title;
	enum field_kind kind;
	enum field_address address;
	u32 needs;
	u32 width;			/* minimum */
	bool right;			/* right-aligned numbers */
	const char *help;
	u64 (*slot)(const struct resolved_sample *rs);				/* FIELD_SLOT */
	u64 (*slot_of)(const struct field *f, const struct resolved_sample *rs);	/* instead of slot, for fields made at run time */
	/* title and least width in the table of an event, NULL where it has no such column; NULL: the same in all tables */
	const char *(*title_of)(const struct field *f, u32 event, u32 *ret_width);
	u64 (*of_frame)(const struct field_ctx *ctx, u32 frame);	/* FIELD_FRAME, and slots that are places */
	/* cmp, prefix, format, length are called by several threads at once: they read names and texts, but add none */
	/* order of keys, smaller first; NULL: numeric */
	int (*cmp)(const struct field_ctx *ctx, u64 a, u64 b);
	/* the order of keys that cmp takes for equal though they are not, so that no order is left to chance; NULL: there are none */
	int (*settle)(const struct field_ctx *ctx, u64 a, u64 b);
	/* a number in the same order as cmp as far as it goes; keys with equal prefixes are settled by cmp. May be NULL */
	u64 (*prefix)(const struct field_ctx *ctx, u64 key);
	void (*format)(const struct field_ctx *ctx, u64 key, struct strbuf *out);
	/* bytes of the column, where they are fewer than format would append or known without it; NULL: format tells */
	u32 (*length)(const struct field_ctx *ctx, u64 key, struct strbuf *scratch);
	/* FIELD_STAT: the number an entry is sorted by (largest first), and its text */
	u64 (*stat)(const struct field_ctx *ctx, const struct stat_sums *s);
	void (*format_stat)(const struct field_ctx *ctx, const struct stat_sums *s, struct strbuf *out);
	bool percent;			/* of a FIELD_STAT: the text is a share */
	/* what its values are; FIELD_STAT of VIEW_REAL or VIEW_SHARE: real() gives them */
	enum view_type type;
	const char *unit;		/* of numbers: "bytes"; NULL */
	bool zero_is_absent, minus_is_absent;	/* a key of 0, of (u32)-1 says that nothing was recorded */
	double (*real)(const struct field_ctx *ctx, const struct stat_sums *s);
	/* VIEW_TEXT: appends the name that format shows with marks around it; false: why there is none. NULL: what format appends */
	bool (*bare_name)(const struct field_ctx *ctx, u64 key, struct strbuf *out);
	/* FIELD_SLOT: another key for entries than for counting (a text id), applied once per distinct key; or NULL */
	u64 (*canon)(const struct field_ctx *ctx, u64 slot);
	bool of_name;			/* FIELD_FRAME: the same for all frames of one name */
	bool is_name;			/* and different for different names */
	bool no_pad;			/* as the last column it is not padded */
	bool times_nr;			/* a number that is shown times the samples of the row */
	const struct field *as_column;	/* what --fields means by its name; NULL: itself */
};

extern const struct field *const fields[];	/* NULL-terminated, in the order of the help text */

/* in the table of an event, NULL where that has no such column; *width may grow */
const char *field_title(const struct field *f, u32 event, u32 *width);

/* the typed value of a key; texts are appended to scratch */
void field_value(const struct field *f, const struct field_ctx *ctx, u64 key, struct strbuf *scratch, struct view_value *ret);
/* the same of a FIELD_STAT */
void field_stat_value(const struct field *f, const struct field_ctx *ctx, const struct stat_sums *s, struct view_value *ret);

/* for help: "make rows by these keys: overhead ..." */
extern const char field_sort_help[];
/* why a name that users know is no field here; NULL: it is not known at all */
const char *field_missing(const char *name);

/* exact name, else the only field that starts with it; NULL with *ret_ambiguous where several do */
const struct field *field_find(const char *name, bool *ret_ambiguous);

#endif
