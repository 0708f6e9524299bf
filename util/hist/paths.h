/*
 * Paths: call chains as a trie, for the call graphs of entries. A path starts where the shown order ends: at
 * the innermost function for graphs that begin with the caller, at the outermost caller for graphs that begin
 * with the callee. So a graph is made by walking from its items to the root, and chains that differ only on
 * the other side of the entry share all nodes of its graph.
 *
 * A label that is below the threshold in all chains together cannot be in any graph, and nothing after it is
 * shown: all such labels are one node per sample_key, at which paths begin anew. Chains of code without frame
 * pointers mostly consist of such addresses, each seen once.
 */
#ifndef PERF_HIST_PATHS_H
#define PERF_HIST_PATHS_H

#include "labelled.h"

#define PATHS_COLD (HIDX_NONE - 1)	/* label of the nodes below the threshold */

/* fills h->trie, h->item and the entries' items; after entries_make(). Consumes the buckets of the results */
void paths_make(struct hist *h, struct worker_results *s);
/*
 * the smallest period that is shown in graphs whose shares refer to `of`; its fraction is cut off, as
 * upstream does
 */
u64 paths_min_period(const struct hist *h, u64 of);

#endif
