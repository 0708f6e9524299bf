/* Report options: what tables of a report show, and how. */
#ifndef PERF_HIST_REPORT_OPTS_H
#define PERF_HIST_REPORT_OPTS_H

#include "../base/types.h"

struct sample_filter;
struct sort_order;

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
	const struct view_marks *mark;	/* what is marked in that time; NULL: nothing */
	bool no_widths;			/* columns are not padded: their widths are not measured */
	const struct sample_filter *filter;/* which part of the file is shown, for the header lines */
	const char *symbol_filter;	/* keeps entries whose symbol contains this text */
};

#endif
