/*
 * Hierarchy: rows as a tree, a level for each sort key (-H): entries with the same first key are one row, below it those with
 * the same second key, and so on. Numbers are sums of what is below. Call graphs hang at the last level.
 */
#ifndef PERF_HIST_HIERARCHY_H
#define PERF_HIST_HIERARCHY_H

#include "../view/view.h"
#include "hist.h"
#include "sort-order.h"

/* entries of a table: nr_rows times nr_members, NULL where an event of the group has none; all must outlive the view */
struct hierarchy_rows {
	const struct hist *h;
	const struct sort_order *order;
	const struct field_ctx *member;		/* of each event */
	u32 event;				/* the first of them */
	u32 nr_members, sort_first;		/* rows are ordered by that event first, where there is such a one */
	const struct hist_entry *const *row;
	size_t nr_rows;
	double percent_limit;			/* rows below it are left out, with all below them */
	bool plain;				/* cells are not padded */
};

/* what a command line may not ask for where rows are a tree: 0, or -EINVAL */
int hierarchy_check(const struct sort_order *order, struct err *err);
/* fills t's columns, rows, levels and cells; memory is the view's */
struct hierarchy *hierarchy_make(struct view *v, struct view_table *t, const struct hierarchy_rows *from);
/* the first event's entry of a row of the last level; NULL for other rows and where that event has none */
const struct hist_entry *hierarchy_entry(const struct hierarchy *y, size_t row);

/* appends one event's number to those of the events before it; plain: nothing is padded */
void stat_cell(const struct field *f, const struct field_ctx *ctx, const struct stat_sums *sums, bool first, bool plain,
	       struct strbuf *out);

#endif
