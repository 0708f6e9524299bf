/*
 * Diff: profiles beside each other: rows of equal names, and how much they changed from the first profile.
 * Each profile is counted as report counts it, one after another, and closed again: what is kept grows with
 * rows, not with profiles' size. Rows match by their texts (event, and sort keys), not by address, so
 * different builds can be compared; what has other names in another recording, renames.h tells. Never prints.
 */
#ifndef PERF_DIFF_DIFF_H
#define PERF_DIFF_DIFF_H

#include "../fields/sample-filter.h"
#include "../hist/sort-order.h"
#include "../session/session.h"
#include "../view/view.h"
#include "renames.h"

#define DIFF_PER_RUN "run"	/* diff_opts.per: each run is one unit of work */

enum diff_compute { DIFF_DELTA, DIFF_DELTA_ABS, DIFF_RATIO, DIFF_WDIFF,
		    /* average cycles of basic blocks: nr are branches, period their cycles */
		    DIFF_CYCLES };

struct diff_opts {
	struct session_opts session;	/* but for the path */
	struct sample_filter filter;	/* as typed; time_spec: parts for each file, separated by ':' */
	struct sort_spec sort;
	enum diff_compute compute;
	s64 weight_base, weight_new;	/* of DIFF_WDIFF */
	u32 order;			/* 0: by the baseline; N: by what was computed for file N */
	bool baseline_only;		/* rows of the first file */
	bool absolute;			/* shares of all samples, also of those that filters hide */
	bool periods, formula;		/* more columns */
	bool list_files;		/* also of two files */
	bool spread;			/* with DIFF_CYCLES: how much the cycles of a block differ */
	/* --runs: files are runs of two programs, the first nr_a of them of the first one; 0: they are not */
	u32 nr_a;
	/* of runs: compare costs of a unit of work, not shares: "run", or an event that counts units */
	const char *per;
};

struct diff_sum {
	u64 nr, period;
};

/* how often a block took that many cycles */
struct diff_cycles {
	u64 cycles, nr;
};

/* with diff_opts.spread, of a row in one file */
struct diff_spread {
	VEC(struct diff_cycles);
};

/*
 * how a row differs between the runs of two programs: its share, in percent of all samples, or with
 * diff_opts.per its period per unit of work
 */
struct diff_runs {
	double mean[2];
	double delta, half_width;	/* delta +- half_width, with 95 % confidence */
	double p;			/* probability of such a difference by chance */
	bool significant;		/* in the table as a whole: with all its rows considered */
};

struct diff_row {
	const char *const *key;		/* texts, one a sort key */
	const struct diff_sum *sum;	/* one a file; nr 0: not in it */
	struct diff_runs runs;
	struct diff_spread *spread;	/* one a file; NULL: not asked for */
};

struct diff_event {
	const char *name;
	const struct diff_sum *total;	/* one a file */
	const u64 *all;			/* one a file: period of all samples, with those that filters hide */
	struct diff_runs whole;		/* of the totals, with diff_opts.per */
	bool *has;			/* file i has the event */
	struct { VEC(struct diff_row); } row;
};

struct diff {
	struct diff_opts *opts;
	const char *const *path;
	u32 nr_files;
	struct sort_order order;
	struct trace_keys *trace;	/* of the file that was read last: the order refers to them */
	u32 nr_keys;			/* those that make rows: the first keys of the order */
	struct { VEC(struct diff_event); } event;
	const double *units;		/* of work, one a file; NULL: shares are compared */
	struct diff_index *index;	/* rows by text, while files are read and rows are merged */
	struct renames renames;
	struct arena arena;
};

/*
 * Reads and compares them. 0, or a negative errno with err. Prints nothing; problems in the data are warned
 * about by warn(), file after file
 */
int diff_files(struct diff *d, struct diff_opts *o, const char *const *path, u32 nr_files,
	       void (*warn)(const struct diag *diag), struct err *err);
void diff_release(struct diff *d);

/*
 * the part of --time that is for file i: parts are separated by ':', the last one is for all files that
 * follow. The caller frees it; NULL for NULL
 */
char *diff_time_of(const char *spec, u32 i);

/* share of a row in file i, in percent */
double diff_percent(const struct diff_event *ev, const struct diff_row *row, u32 i);
/* what compares file i with the first; false: one of them does not have the row */
bool diff_value(const struct diff *d, const struct diff_event *ev, const struct diff_row *row, u32 i,
		double *ret);
/*
 * standard error of a row's difference of average cycles between the first file and file i, in cycles;
 * false: one of them has less than two branches
 */
bool diff_cycles_error(const struct diff_row *row, u32 i, double *ret);

/* a table an event; the strings live as long as d */
struct view *diff_view(const struct diff *d);

#endif
