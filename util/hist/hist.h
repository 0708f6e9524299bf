/*
 * Hist: a profile counted by sort keys. Counting runs over chunks of the file in parallel, each worker with
 * tables of its own; then frames are named, the workers' tables are labelled and merged, and entries are
 * made (collect.h). Memory grows with distinct keys and call chains, not with samples. Const after
 * hist_collect(). The result is the same for any number of workers: everything is ordered by content.
 */
#ifndef PERF_HIST_HIST_H
#define PERF_HIST_HIST_H

#include "../base/blocks.h"
#include "../resolve/names.h"
#include "../session/fp-count.h"
#include "../unwind/stack-end.h"
#include "hist-opts.h"
#include "key-table.h"
#include "slots.h"
#include "timed.h"
#include "trie.h"

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

/* the entry's row in hist_slots */
static inline u64 hist_entry_row(const struct hist_entry *e)
{
	return e->sample_key | (u64)e->frame_key << 32;
}

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

struct hist_mem {
	u64 part[DATA_SRC_NR_PARTS];	/* period */
};

/* the part of an entry that is at that node of hist->trie, on a path that ends there */
struct hist_item {
	u32 node;
	u64 nr, period;
};

/*
 * samples with equal keys and call chain; node: where the chain ends in hist->trie, 0: no call chains were
 * recorded
 */
struct hist_end {
	u32 sample_key, frame_key, node;
	u64 nr, period;
};

/* a label with a mark, and the frame that it names */
struct hist_marked {
	u32 label, frame;
};

/*
 * t: what call chains are compared by (a named id, a frame id or a line); e: id of the frame-dependent sort
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
	 * with opts.carry: for each row of sample_keys, a key of a worker that was merged into it; addresses
	 * are merged frames, texts are ids of names.texts
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
	/* as long as own, or empty if neither weights nor latencies are counted */
	struct { VEC(struct hist_more); } more;
	struct { VEC(struct hist_mem); } mem;	/* as long as own, with opts.mem_parts */
	u32 mem_used;			/* bits of the parts that are not 0 in all entries */
	/*
	 * for call graphs, see paths.h: the part of the chains that can be shown, and where entries are in it
	 */
	struct trie trie;
	struct { VEC(struct hist_item); } item;
	struct { VEC(u64); } item_weight;	/* of each item, with opts.weights; else empty */
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

/* the context for showing the fields of entries; total is not set, because it depends on the event */
struct field_ctx hist_field_ctx(struct hist *h);

/* text and key of a label; with one_name_a_row the label is both */
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
/* false for columns of parts of memory accesses that never occur */
bool hist_has_column(const struct hist *h, const struct field *f);
/* value of the i-th key of an entry */
u64 hist_entry_key(const struct hist *h, const struct hist_entry *e, u32 i);

/*
 * ids are distributed to 1 << bits tasks by their lowest bits, so that no task writes what belongs to another
 */
#define HIST_MAX_PART_BITS 4
u32 hist_part_bits(const struct hist *h);
void hist_free(struct hist *h);

#endif
