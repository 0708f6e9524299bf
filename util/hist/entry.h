/* Entries: rows from labelled buckets. */
#ifndef PERF_HIST_ENTRY_H
#define PERF_HIST_ENTRY_H

#include "hist.h"
#include "labelled.h"

/* makes entries: own sums, and totals with children */
void entries_make(struct hist *h, const struct worker_results *s);

#endif
