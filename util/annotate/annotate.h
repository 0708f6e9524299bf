/*
 * Annotate: what was counted at each instruction of the functions of a profile, with their code and source
 * lines. Counting is that of report, by address; the code comes from resolve/code, its text from obj/disasm.
 * Never prints. All belongs to the struct, which is const after annotate_collect().
 */
#ifndef PERF_ANNOTATE_ANNOTATE_H
#define PERF_ANNOTATE_ANNOTATE_H

#include "../fields/sample-filter.h"
#include "../hist/hist.h"
#include "../view/listing.h"
#include "../resolve/source-text.h"

struct annotate_opts {
	struct sample_filter filter;	/* as typed: -C, -d, -s */
	const char *symbol;		/* only this function; NULL: all that have samples */
	bool group;			/* events of a group side by side */
	bool source;			/* source lines between instructions */
	bool full_paths;		/* of source files */
	bool intel;			/* -M intel */
	const char *objdump;		/* the program that decodes code (objdump.h); NULL: capstone */
	bool types;			/* of data that instructions access */
	bool skip_missing;		/* functions without code are left out */
	const char *prefix;		/* before the paths of source files */
	unsigned int prefix_strip;	/* directories to remove from them first */
	double min_percent;		/* of a function in its event */
};

/* a function with samples, of one event or group */
struct annotated {
	u32 dso, symbol;		/* symbol: its place in the dso's table */
	u32 event;			/* the first event; the others of its group follow */
	u32 first, nr;			/* its addresses in annotate.hit */
	u64 period;			/* of all its events */
};

/* what was counted at an address, by one event */
struct address_hit {
	u32 dso, symbol, event;
	u64 addr, nr, period;
};

/* code between two branches, which ran that number of times in that number of cycles */
struct block_run {
	u32 dso, cycles;
	u64 start, end, nr;
};

struct annotate {
	struct session *session;
	struct annotate_opts *opts;
	bool loosely;					/* opts->symbol is a part of names */
	struct hist *hist;
	struct { VEC(struct address_hit); } hit;	/* by dso, symbol, leader, address, event */
	struct { VEC(struct annotated); } function;	/* by event, then largest period first */
	struct { VEC(struct block_run); } block;	/* by dso, end; empty without branch stacks */
	struct lines *lines;				/* NULL: no source lines */
	struct data_types *types;			/* NULL: they are not shown */
	struct sources sources;
};

/*
 * counts. 0, or a negative errno with err: a filter is wrong, or no sample is in a function (-ENODATA)
 */
int annotate_collect(struct annotate *a, struct session *s, struct annotate_opts *o, struct err *err);
/*
 * The same for a live session: annotate_begin(), and then annotate_count() for each hist that was counted
 * with annotate_hist_opts(); the struct frees it. What listings were made of the count before stays as it is.
 */
void annotate_begin(struct annotate *a, struct session *s, struct annotate_opts *o);
struct hist_opts annotate_hist_opts(void);
void annotate_count(struct annotate *a, struct hist *h);
/*
 * the listing of function i, with its instructions; without them, and with the reason, where there is no
 * code. Strings live in *arena; the caller releases the listing
 */
void annotate_listing(struct annotate *a, size_t i, struct arena *arena, struct view_listing *ret);
/* the same for a function that annotate_find() gave */
void annotate_function(struct annotate *a, const struct annotated *f, struct arena *arena,
		       struct view_listing *ret);
/* any function of the profile's dsos, for an event; without hits if no sample is in it */
struct annotated annotate_find(const struct annotate *a, u32 dso, u32 symbol, u32 event);
/*
 * the function at an address of a listing, as linked: f is the listing's own. false: none is known there
 */
bool annotate_find_address(const struct annotate *a, const struct annotated *f, const struct view_listing *l,
			   u64 svma, struct annotated *ret);
/* within annotate: counts blocks; adds those that end in [start, end) of a dso to a listing of that code */
void annotate_count_blocks(struct annotate *a);
bool annotate_has_blocks(const struct annotate *a, u32 dso, u32 symbol);
void annotate_add_blocks(const struct annotate *a, u32 dso, u64 start, u64 end, struct view_listing *l);
/*
 * within annotate: appends ": it was inlined into 'a', 'b', 'c' and 2 more", those with samples in copies
 * of the function of the options; false: there is none
 */
bool annotate_describe_inlined(const struct annotate *a, struct strbuf *out);
/*
 * Fills in names.ipc of a report, from the branches that the filter keeps, which has been parsed. Functions
 * without cycles or code have none
 */
void annotate_ipc(struct hist *h, const struct sample_filter *filter);
void annotate_listing_release(struct view_listing *l);
/* warns of source files that were not found */
void annotate_release(struct annotate *a);

#endif
