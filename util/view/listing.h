/*
 * Listing: code with what was counted at each line: the contract between perf annotate and presentation. A
 * listing is one function: instructions, and between them source lines and labels. Strings belong to the
 * answer and live as long as it does.
 */
#ifndef PERF_VIEW_LISTING_H
#define PERF_VIEW_LISTING_H

#include "view.h"

enum listing_kind {
	LISTING_INSN,
	LISTING_SOURCE,		/* a line of a source file */
	LISTING_NOTE,		/* where source lines come from: "w.c:12", a function that was inlined */
};

/* where an instruction goes to */
enum listing_arrow { LISTING_NO_ARROW, LISTING_UP, LISTING_DOWN, LISTING_CALL, LISTING_RETURN };

/* what was counted at an instruction, for each member */
struct listing_hits {
	u64 nr, period;
};

/* runs of the code that ends at a branch, from the branch before it on: sums, and the extremes of cycles */
struct listing_block {
	u64 nr, cycles, insns;
	u32 min, max;
};

struct listing_line {
	u8 kind;		/* enum listing_kind */
	u8 arrow;		/* enum listing_arrow */
	bool is_target;		/* a jump of this function goes here */
	u8 nr_bytes;
	u32 number;		/* LISTING_SOURCE: of the line in its file */
	u32 hits;		/* LISTING_INSN: index of the first member's, or LISTING_NO_HITS */
	u32 block;		/* LISTING_INSN: one more than the index of the block that it ends; 0: none */
	u64 addr;		/* as linked */
	const u8 *bytes;	/* of the instruction */
	const char *text;	/* source, note, or mnemonic */
	const char *operands;	/* LISTING_INSN; "" */
	const char *target;	/* of a jump or call: "119d <work+0x64>"; NULL */
	u64 target_addr;	/* where it goes to */
	bool inside;		/* target is in this function */
	const char *where;	/* LISTING_INSN: source line, "w.c:12"; NULL: not known */
	const char *data_type;	/* LISTING_INSN: "struct node +0x8 (key)", what it accesses; NULL */
};
#define LISTING_NO_HITS UINT32_MAX

/* sums of an event */
struct listing_member {
	const char *event;	/* "cycles:u" */
	u64 nr, period;		/* in this function */
	u64 all_nr, all_period;	/* in all functions */
	u64 frequency;		/* samples per second that were asked for; 0: a fixed period */
};

struct view_listing {
	const char *symbol, *dso;	/* dso: its path */
	const char *module;		/* the dso's short name, as call graphs have it */
	u64 start;			/* of the function */
	const char *why;		/* no instructions: why and what to do; else NULL */
	struct { VEC(struct listing_member); } member;
	struct { VEC(struct listing_line); } line;
	struct { VEC(struct listing_hits); } hits;
	struct { VEC(struct listing_block); } block;	/* empty: no cycles were recorded */
	u32 insns, covered;		/* if there are blocks: instructions, and those in one */
};

enum listing_share { LISTING_LOCAL_PERIOD, LISTING_LOCAL_HITS, LISTING_GLOBAL_PERIOD, LISTING_GLOBAL_HITS };

/* the share in percent: of the periods or samples of the function, or of all functions */
static inline double listing_percent(const struct listing_member *m, const struct listing_hits *h,
				     enum listing_share share)
{
	bool hits = share == LISTING_LOCAL_HITS || share == LISTING_GLOBAL_HITS;
	bool local = share == LISTING_LOCAL_HITS || share == LISTING_LOCAL_PERIOD;
	u64 all = local ? hits ? m->nr : m->period : hits ? m->all_nr : m->all_period;

	return all ? 100.0 * (hits ? h->nr : h->period) / all : 0;
}

#endif
