/* Report view: a sorted hist as tables for ui: one per event (or per group), with the header lines that users know. */
#ifndef PERF_HIST_REPORT_VIEW_H
#define PERF_HIST_REPORT_VIEW_H

#include "../view/view.h"
#include "hist.h"
#include "sample-filter.h"
#include "sort-order.h"

/* groups as they were recorded, each event alone, or all events of the file where it has no groups */
enum report_group { GROUP_RECORDED, GROUP_NONE, GROUP_ALL };

struct report_view_opts {
	const struct sort_order *order;
	bool hierarchy;			/* rows are a tree by the sort keys */
	bool weights;			/* samples count by weight */
	const char *sort_words;		/* then: the keys as they were given, NULL: they are the columns */
	double percent_limit;		/* entries below it are left out */
	bool relative;			/* shares of what the filters kept, not of everything */
	enum report_group group;	/* which events share a table */
	unsigned int group_sort;	/* rows of groups are ordered by this member first */
	bool hide_empty;		/* no table for events without samples */
	bool header_shown;		/* the file's header stands above already */
	bool no_widths;			/* columns are not padded: do not measure them */
	const struct sample_filter *filter;/* what of the file is looked at, for the header lines */
	const char *symbol_filter;	/* keep entries whose symbol has this in it */
};

/* the hist and the order must outlive the view */
struct view *report_view(struct hist *h, const struct report_view_opts *o);

#endif
