/*
 * Paths: call chains as a trie, for the call graphs of entries. A path starts where the shown order ends: at the innermost
 * function for graphs that begin with the caller, at the outermost caller for those that begin with the callee. So a graph is
 * made by walking from its items towards the root, and chains that differ only behind the entry share their nodes.
 *
 * What is below the threshold in all chains together can be part of no graph, and nothing is shown behind it: it is one node a
 * sample_key, where paths begin anew. Chains of code without frame pointers are mostly such addresses, each seen once.
 */
#ifndef PERF_HIST_PATHS_H
#define PERF_HIST_PATHS_H

#include "label.h"

#define PATHS_COLD (HIDX_NONE - 1)	/* label of the nodes below the threshold */

/* fills h->trie, h->item and the entries' items; after entries_make() */
void paths_make(struct hist *h, const struct worker_results *s);
/* the smallest period that graphs show whose shares refer to so much of the whole; it loses its fraction, as upstream has it */
u64 paths_min_period(const struct hist *h, u64 of);

#endif
