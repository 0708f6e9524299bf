/* Filter columns: what filters change in the columns of a report, and warnings where they leave nothing. */
#ifndef PERF_HIST_FILTER_COLUMNS_H
#define PERF_HIST_FILTER_COLUMNS_H

#include "../fields/sample-filter.h"

struct hist;
struct sort_order;

/* if no sample of h was kept: warns about names that the profile does not have, or about all filters */
void sample_filter_warn_empty(const struct sample_filter *f, const struct hist *h);
/* warns if no function of h has this text in its name (--symbol-filter; NULL: not given) */
void symbol_filter_warn_empty(const char *text, const struct hist *h);
/*
 * columns with the same text in every row, because one name was selected, go to order->only; they are hidden
 * if other columns remain, unless all are to be kept
 */
void sample_filter_hide_columns(const struct sample_filter *f, struct sort_order *order, bool keep);

#endif
