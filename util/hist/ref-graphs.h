/*
 * Reference graphs (--show-ref-call-graph): events that were recorded without call chains show the graphs of
 * an event that has them, the reference event: each row shows the graph of the row with the same keys.
 */
#ifndef PERF_HIST_REF_GRAPHS_H
#define PERF_HIST_REF_GRAPHS_H

#include "hist.h"

struct ref_graphs;

/*
 * an index of the reference event's rows, which ref_graphs_free() releases; NULL: the event has call chains
 * itself, or no event has
 */
struct ref_graphs *ref_graphs_new(const struct hist *h, u32 event);
void ref_graphs_free(struct ref_graphs *g);

/* the number of the reference event */
u32 ref_graphs_event(const struct ref_graphs *g);
/* the row of the reference event with the same keys as e, or NULL. Thread-safe */
const struct hist_entry *ref_graphs_find(const struct ref_graphs *g, const struct hist_entry *e);

#endif
