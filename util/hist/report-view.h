/*
 * Report view: a sorted hist as tables for ui: one per event (or per group), with the header lines
 * that users know.
 */
#ifndef PERF_HIST_REPORT_VIEW_H
#define PERF_HIST_REPORT_VIEW_H

#include "../view/view.h"
#include "hist.h"
#include "report-opts.h"

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
