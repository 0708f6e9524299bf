/*
 * The call graph of one entry, for showing: only what reaches the threshold is built, level by level, so the work depends on
 * what is shown, not on how many stacks there are.
 */
#ifndef PERF_HIST_CHAIN_TREE_H
#define PERF_HIST_CHAIN_TREE_H

#include "../view/view.h"
#include "hist.h"

/* one a worker */
struct chain_builder;
struct chain_builder *chain_builder_new(const struct hist *h);
/* what it built is the view's from now on */
void chain_builder_finish(struct chain_builder *b, struct view *view);

/*
 * Root of the graph below entry e, or NULL where nothing reaches the threshold. total_period is what percentages of graph mode
 * refer to.
 */
struct view_node *chain_tree(struct chain_builder *b, const struct hist_entry *e, u64 total_period);

#endif
