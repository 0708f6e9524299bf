/*
 * Snapshot: a copy of a view that refers to nothing else, for interfaces that show it while the answer
 * changes. Cells are kept as text and values, so it is for tables of some thousand rows.
 */
#ifndef PERF_VIEW_SNAPSHOT_H
#define PERF_VIEW_SNAPSHOT_H

#include "view.h"

/*
 * Tables, their heads, the first max_rows rows of each, and brief. Facts, notes, call graphs, trees and
 * summaries are left out
 */
struct view *view_snapshot(const struct view *v, size_t max_rows);

#endif
