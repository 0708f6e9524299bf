/*
 * Hist: a profile counted by sort keys. Counting runs over chunks of the file in parallel, each worker with
 * tables of its own; then frames are named, the workers' tables are labelled and merged, and entries are
 * made. Memory grows with distinct keys and call chains, not with samples. Const after hist_collect(). The
 * result is the same for any number of workers: everything is ordered by content.
 */
#ifndef PERF_HIST_HIST_H
#define PERF_HIST_HIST_H

#include "../event/data-src.h"
#include "../fields/sample-filter.h"
#include "../session/session.h"
#include "../resolve/names.h"
#include "../session/fp-count.h"
#include "../unwind/stack-end.h"
#include "../session/parallelism.h"
#include "key-table.h"
#include "slots.h"
#include "timed.h"
#include "trie.h"

struct caller_patterns;
struct hist_carry;

#define HIST_MAX_KEYS 256
#define HIST_NR_WEIGHTS 3
/* sums of the branches of samples, or of one branch if branches are counted */
enum { HIST_BRANCHES, HIST_PREDICTED, HIST_ABORTS, HIST_CYCLES, HIST_NR_BRANCH_SUMS };

enum chain_mode { CHAIN_MODE_NONE, CHAIN_MODE_FLAT, CHAIN_MODE_GRAPH, CHAIN_MODE_FRACTAL, CHAIN_MODE_FOLDED };
enum chain_key { CHAIN_KEY_FUNCTION, CHAIN_KEY_ADDRESS, CHAIN_KEY_SRCLINE };
enum chain_value { CHAIN_VALUE_PERCENT, CHAIN_VALUE_PERIOD, CHAIN_VALUE_COUNT };

struct chain_opts {
	enum chain_mode mode;
	enum chain_key key;
	enum chain_value value;
	bool caller;		/* order: caller first; else callee first */
	bool caller_set, key_set;	/* the user chose the order, the key */
	bool branch;		/* chains begin with the branches of branch stacks */
	double min_percent;
	u32 print_limit;	/* lines per entry; 0: no limit */
};
#define CHAIN_OPTS_INIT { .mode = CHAIN_MODE_GRAPH, .caller = true, .min_percent = 0.5 }

/*
 * "print_type,threshold,print_limit,order,sort_key,branch,value" in any order of words; 0 or negative errno
 */
int chain_opts_parse(struct chain_opts *o, const char *arg, struct err *err);
/* the same for the i-th configuration variable; its name is chain_config_key[i], NULL after the last one */
extern const char *const chain_config_key[];
int chain_opts_config(struct chain_opts *o, u32 i, const char *value, struct err *err);

/* what one sample adds to rows */
enum count_mode {
	COUNT_SAMPLES,	/* its period, to one */
	COUNT_BRANCHES,	/* one for each branch of its branch stack */
	COUNT_WEIGHT,	/* its weight, at least one */
};

struct hist_opts {
	enum count_mode mode;
	const struct field *key[HIST_MAX_KEYS];	/* FIELD_SLOT and FIELD_FRAME, in sort order */
	u32 nr_keys;
	bool chains;			/* count by call chain, too */
	bool history;			/* chains begin with branches: see branch-history.h */
	bool history_notes;		/* call graphs say how these were predicted */
	bool every_branch;		/* their loops are not folded */
	bool branch_sums;		/* sums of branches are counted, for columns */
	/* samples are slices of wall time: periods by state are counted in place of these */
	bool states;
	bool mem_parts;			/* the same of the parts of memory accesses */
	u32 cut;			/* leaves out frames with less than 1/cut of their event; 0: none */
	bool join_unnamed;		/* addresses of a file without a symbol are one function */
	bool children;
	bool inlines;			/* chains show inlined functions */
	bool mark_ends;			/* chains that are not complete begin with a frame that says why */
	struct chain_opts chain;
	u32 max_stack;
	bool full_path;			/* source files with their directories */
	bool symbols;			/* a key or the chains need symbols */
	bool frames;			/* a key depends on the code address */
	bool weights;
	bool latency;			/* only with parallelism */
	const struct caller_patterns *callers;	/* patterns of callers; NULL: none */
	bool trace;			/* a key is of tracepoints' payloads */
	struct field_opts fields;
	const struct parallelism *parallelism;	/* NULL: nothing asks how many tasks ran */
	struct hist_time time;		/* count by time, too */
	bool samples;			/* keep the time of each sample; without time and carry */
	int verbose;
	/* what happens with a sample; NULL: all are kept. Several workers call it at a time */
	enum filter_verdict (*keep)(const void *ctx, const struct resolved_sample *rs);
	/*
	 * the same by the frame of the sample's own address, called once per distinct frame; NULL: all are
	 * kept
	 */
	enum filter_verdict (*keep_frame)(const void *ctx, const struct names *names, u32 frame);
	const void *keep_ctx;
	/* of a live session: the sums of earlier counts, see carry.h; NULL: none */
	const struct hist_carry *carry;
};

/* once frames have names, no symbol is looked up, nor shown but by its name */
static inline bool hist_only_hits(const struct hist_opts *o)
{
	return o->join_unnamed && !o->keep_frame && !o->trace;
}

#define HIST_NONE UINT32_MAX

/*
 * in a profile with call chains most entries are callers only: the sums of an entry's own samples are in
 * hist->own
 */
struct hist_entry {
	u32 sample_key;			/* id of (event, slots) */
	u32 frame_key;			/* id of the frame-dependent keys */
	u32 max_depth;			/* longest call chain, for the order of equal entries */
	u32 own;			/* index in hist->own, or HIST_NONE */
	u64 nr_children, period_children;
	u32 first_item, nr_items;	/* range of hist->item: where it is in call chains */
};

struct hist_entries {
	BLOCKS(struct hist_entry);
};

/* samples that hit an entry itself; if latencies are counted, each entry has one */
struct hist_own {
	u64 nr, period;
	u64 period_sys, period_us, period_guest_sys, period_guest_us;
};

/* sums that only some reports need */
struct hist_more {
	u64 latency, latency_children;
	u64 weight[HIST_NR_WEIGHTS];
	u64 branch[HIST_NR_BRANCH_SUMS];	/* of the entry and what it called */
};

/* of a bucket: where the parts of memory accesses are among its weights */
#define HIST_FIRST_BRANCH_SUM (1 + HIST_NR_WEIGHTS)
#define HIST_FIRST_MEM_PART (HIST_FIRST_BRANCH_SUM + HIST_NR_BRANCH_SUMS)
#define HIST_MAX_SUMS (HIST_FIRST_MEM_PART + DATA_SRC_NR_PARTS)
struct hist_mem {
	u64 part[DATA_SRC_NR_PARTS];	/* period */
};

/* the part of an entry that is at that node of hist->trie, on a path that ends there */
struct hist_item {
	u32 node;
	u64 nr, period;
};

/* samples with that call chain, which ends at a node of hist->trie; 0: no call chains were recorded */
struct hist_end {
	u32 sample_key, frame_key, node;
	u64 nr, period;
};

/* a label with a mark, and the frame it is the text of */
struct hist_marked {
	u32 label, frame;
};

/*
 * t: by what call chains are compared (a named id, a frame id or a line); e: id of the frame-dependent sort
 * keys; mark: of a branch's end, see branch-history.h, or 0
 */
struct hist_label {
	u32 t, e;
	u64 mark;
};

struct hist_event {
	struct stat_sums total;		/* all samples of the event that were not dropped */
	struct stat_sums shown;		/* those kept by the filter */
	u64 cut_period;			/* of samples whose stacks were cut (opts.cut) */
	size_t first, nr_entries;	/* range of hist->entry */
};

struct hist {
	struct session *session;
	struct hist_opts opts;
	struct names names;
	struct key_table sample_keys;		/* event, slots */
	struct key_table frame_keys;		/* frame-dependent keys */
	/*
	 * with opts.carry: for each row of sample_keys a key of counting that became it. Addresses are merged
	 * frames, texts are in names.texts
	 */
	struct { VEC(u64); } carried_key;
	struct { VEC(struct hist_label); } label;	/* empty if one_name_a_row */
	u32 *label_of;			/* frame -> label */
	bool one_name_a_row;		/* frame_keys differ in their names, so they need not be compared */
	/* opts.parallelism: more than one task ran at over 1% of the samples that were not dropped */
	bool parallel;
	u8 *dso_sampled;			/* by dso id: samples are in it, callers not counted */
	u8 *keep_frame;			/* opts.keep_frame of each frame; NULL: all are kept */
	struct hist_event *event;	/* one per event of the set */
	u32 nr_events;
	/* where key i is in a row of sample_keys (slots) or frame_keys (frame fields) */
	u32 key_word[HIST_MAX_KEYS];
	struct hist_entries entry;	/* by event */
	struct { VEC(struct hist_own); } own;
	/* of the same length, or empty if no weights and latencies are counted */
	struct { VEC(struct hist_more); } more;
	struct { VEC(struct hist_mem); } mem;	/* of the same length, with opts.mem_parts */
	u32 mem_used;			/* bits of the parts that are not 0 in all entries */
	/*
	 * for call graphs, see paths.h: the part of the chains that can be shown, and where entries are in it
	 */
	struct trie trie;
	struct { VEC(struct hist_item); } item;
	/* with opts.carry or opts.samples: all samples, by call chain */
	struct { VEC(struct hist_end); } end;
	struct { VEC(u64); } end_sum;		/* hist_nr_sums() of each end */
	struct { VEC(struct hist_marked); } marked_frame;	/* with opts.carry */
	struct hist_slots slots;	/* with opts.time */
	struct timed_samples timed;	/* with opts.samples: each has its number in end */
	struct fp_counts fp;		/* where frame pointers led */
	struct stack_ends ends;		/* of the call chains that are shown */
	struct diag diag;
};

/* the context for showing the fields of entries; of no event yet */
struct field_ctx hist_field_ctx(struct hist *h);

/* the parts of a label; if a row is a name, the label is its own text */
static inline u32 hist_label_text(const struct hist *h, u32 label)
{
	return h->one_name_a_row ? label : h->label.v[label].t;
}

static inline u32 hist_label_key(const struct hist *h, u32 label)
{
	return h->one_name_a_row ? label : h->label.v[label].e;
}

/* all sums of an entry */
struct stat_sums hist_entry_sums(const struct hist *h, const struct hist_entry *e);
u64 hist_entry_period(const struct hist *h, const struct hist_entry *e);
/* whether a column says anything: parts of memory accesses that never occur are left out */
bool hist_has_column(const struct hist *h, const struct field *f);
/* value of the i-th key of an entry */
u64 hist_entry_key(const struct hist *h, const struct hist_entry *e, u32 i);

/* the number of sums that buckets have beside their period */
u32 hist_nr_sums(const struct hist_opts *o);
struct hist *hist_collect(struct session *s, const struct hist_opts *opts);
/* keeps the samples that pass a filter, which has been parsed and outlives the count */
void hist_use_filter(struct hist_opts *opts, const struct sample_filter *filter);
void hist_free(struct hist *h);
/*
 * the order of rows: by these fields one after another (numbers, largest first, and keys); then by the
 * remaining keys
 */
struct hist_order {
	const struct field *const *by;
	u32 nr_by;
};
/* orders every event's entries */
void hist_sort(struct hist *h, const struct hist_order *order, const struct field_ctx *ctx);

#endif
