/*
 * Hierarchy: rows as a tree, a level for each sort key (-H): entries with the same first key are one row,
 * below it are rows of those with the same second key, and so on. Numbers are sums of everything below. Call
 * graphs are shown at the last level.
 */
#ifndef PERF_HIST_HIERARCHY_H
#define PERF_HIST_HIERARCHY_H

#include "../view/view.h"
#include "hist.h"
#include "sort-order.h"

/*
 * entries of a table: nr_rows times nr_members, NULL if an event of the group has none; all must outlive the
 * view
 */
struct hierarchy_rows {
	const struct hist *h;
	const struct sort_order *order;
	const struct field_ctx *member;		/* of each event */
	u32 event;				/* the first event */
	/* rows are ordered by that event first, if the group has it */
	u32 nr_members, sort_first;
	const struct hist_entry *const *row;
	size_t nr_rows;
	double percent_limit;			/* rows below it are left out, with everything below them */
	bool plain;				/* cells are not padded */
};

/* checks for options that are not possible if rows are a tree: 0, or -EINVAL */
int hierarchy_check(const struct sort_order *order, struct err *err);
/* fills t's columns, rows, levels and cells; the memory belongs to the view */
struct hierarchy *hierarchy_make(struct view *v, struct view_table *t, const struct hierarchy_rows *from);
/* the first event's entry of a row of the last level; NULL for other rows, and if that event has none */
const struct hist_entry *hierarchy_entry(const struct hierarchy *y, size_t row);

/* appends one event's number after the numbers of the events before it; plain: without padding */
void stat_cell(const struct field *f, const struct field_ctx *ctx, const struct stat_sums *sums, bool first,
	       bool plain, struct strbuf *out);

#endif
