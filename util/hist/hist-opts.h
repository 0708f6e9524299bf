/* Hist options: what a count keeps of samples, and the sums that its buckets have. */
#ifndef PERF_HIST_OPTS_H
#define PERF_HIST_OPTS_H

#include "../event/data-src.h"
#include "../fields/field.h"
#include "../fields/filter-verdict.h"
#include "chain-opts.h"
#include "places.h"

struct caller_patterns;
struct hist_carry;
struct names;
struct parallelism;
struct sample_filter;

#define HIST_MAX_KEYS 256
#define HIST_NR_WEIGHTS 3
/* sums of the branches of samples, or of one branch if branches are counted */
enum { HIST_BRANCHES, HIST_PREDICTED, HIST_ABORTS, HIST_CYCLES, HIST_NR_BRANCH_SUMS };
/* the sums that buckets have beside their period: the latency, weights, branches, parts of memory accesses */
#define HIST_FIRST_BRANCH_SUM (1 + HIST_NR_WEIGHTS)
#define HIST_FIRST_MEM_PART (HIST_FIRST_BRANCH_SUM + HIST_NR_BRANCH_SUMS)
#define HIST_MAX_SUMS (HIST_FIRST_MEM_PART + DATA_SRC_NR_PARTS)

/* what one sample adds to rows */
enum count_mode {
	COUNT_SAMPLES,	/* its period, to one row */
	COUNT_BRANCHES,	/* one for each branch of its branch stack */
	COUNT_WEIGHT,	/* its weight, at least one */
};

struct hist_opts {
	enum count_mode mode;
	const struct field *key[HIST_MAX_KEYS];	/* FIELD_SLOT and FIELD_FRAME, in sort order */
	u32 nr_keys;
	bool chains;			/* count by call chain, too */
	bool history;			/* chains begin with branches: see branch-history.h */
	bool history_notes;		/* call graphs say how branches were predicted */
	bool every_branch;		/* loops of branches are not folded */
	bool branch_sums;		/* sums of branches are counted, for columns */
	/* samples are slices of wall time: periods by state are counted instead of branch sums */
	bool states;
	bool mem_parts;			/* sums of the parts of memory accesses are counted, for columns */
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
	bool trace;			/* a key is a field of tracepoints */
	struct field_opts fields;
	const struct parallelism *parallelism;	/* NULL: nothing asks how many tasks ran */
	struct hist_time time;		/* count by time, too */
	bool samples;			/* keep the time of each sample; without time and carry */
	int verbose;
	/* the verdict on a sample; NULL: all are kept. Several workers call it at a time */
	enum filter_verdict (*keep)(const void *ctx, const struct resolved_sample *rs);
	/*
	 * the verdict on the frame of the sample's own address, called once per distinct frame; NULL: all are
	 * kept
	 */
	enum filter_verdict (*keep_frame)(const void *ctx, const struct names *names, u32 frame);
	const void *keep_ctx;
	/* of a live session: the sums of earlier counts, see carry.h; NULL: none */
	const struct hist_carry *carry;
};

/* true if symbols are neither looked up nor shown, except by name, once frames have names */
static inline bool hist_only_hits(const struct hist_opts *o)
{
	return o->join_unnamed && !o->keep_frame && !o->trace;
}

/* the number of sums that buckets have beside their period */
u32 hist_nr_sums(const struct hist_opts *o);
/* keeps the samples that pass a filter, which has been parsed and outlives the count */
void hist_use_filter(struct hist_opts *opts, const struct sample_filter *filter);

#endif
