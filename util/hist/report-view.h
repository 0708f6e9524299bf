/*
 * Report view: a sorted hist as tables for ui: one per event (or per group), with the header lines
 * that users know.
 */
#ifndef PERF_HIST_REPORT_VIEW_H
#define PERF_HIST_REPORT_VIEW_H

#include "../fields/sample-filter.h"
#include "../view/view.h"
#include "hist.h"
#include "sort-order.h"

/* groups as they were recorded, each event by itself, or one group of all events if the file has no groups */
enum report_group { GROUP_RECORDED, GROUP_NONE, GROUP_ALL };

struct report_view_opts {
	const struct sort_order *order;
	bool hierarchy;			/* rows are a tree by the sort keys */
	bool weights;			/* samples count by weight */
	/* with weights: the keys as they were given; NULL: they are the columns */
	const char *sort_words;
	double percent_limit;		/* entries below it are left out */
	u64 min_samples;		/* entries with fewer samples are left out */
	size_t max_rows;		/* maximum number of rows in a flat table; 0: all */
	bool relative;			/* shares refer to the samples that filters kept, not to all */
	enum report_group group;	/* which events share a table */
	unsigned int group_sort;	/* rows of groups are ordered by this member first */
	bool ref_graphs;		/* events without call chains show the graphs of an event with them */
	bool hide_empty;		/* no table for events without samples */
	/* no lines around tables; above each one only its event, if there are several */
	bool tables_only;
	bool header_shown;		/* the file's header was already printed */
	bool time;			/* tables show when samples happened: hist_opts.time */
	bool no_widths;			/* columns are not padded: their widths are not measured */
	const struct sample_filter *filter;/* which part of the file is shown, for the header lines */
	const char *symbol_filter;	/* keeps entries whose symbol contains this text */
};

/* the hist and the order must outlive the view */
struct view *report_view(struct hist *h, const struct report_view_opts *o);

/*
 * the function of a row: symbol is its place in the dso's table; event: the first one of the table; name
 * lives as long as the hist
 */
struct report_symbol {
	u32 dso, symbol, event;
	const char *name;
};
/* false: the table has no column of functions, is a tree, or the row's function is not known */
bool report_row_symbol(const struct view_table *t, size_t row, struct report_symbol *ret);

#endif
