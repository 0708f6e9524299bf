/*
 * The call graph of one entry, for showing: only what reaches the threshold is built, level by level, so the work depends on
 * what is shown, not on how many stacks there are.
 */
#ifndef PERF_HIST_CHAIN_TREE_H
#define PERF_HIST_CHAIN_TREE_H

#include "../view/view.h"
#include "hist.h"

struct chain_builder;
struct chain_builder *chain_builder_new(const struct hist *h, struct view *view);
void chain_builder_free(struct chain_builder *b);

/*
 * Root of the graph below entry e, or NULL where nothing reaches the threshold. total_period is what percentages of graph mode
 * refer to. Nodes belong to the view.
 */
struct view_node *chain_tree(struct chain_builder *b, const struct hist_entry *e, u64 total_period);

#endif
