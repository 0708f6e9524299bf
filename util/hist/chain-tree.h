/*
 * The call graph of one entry, for output: only what reaches the threshold is built, level by level, so the
 * work depends on what is shown, not on the number of stacks.
 */
#ifndef PERF_HIST_CHAIN_TREE_H
#define PERF_HIST_CHAIN_TREE_H

#include "../view/view.h"
#include "hist.h"

/* one per worker */
struct chain_builder;
struct chain_builder *chain_builder_new(const struct hist *h);
/* gives what it built to the view */
void chain_builder_finish(struct chain_builder *b, struct view *view);

/*
 * Root of the graph below entry e, or NULL if nothing reaches the threshold. Percentages of graph mode refer
 * to total_period.
 */
struct view_node *chain_tree(struct chain_builder *b, const struct hist_entry *e, u64 total_period);

/* appends what call graphs show of a node of hist->trie, which is not a cold one: "work file.c:12" */
void chain_node_text(const struct hist *h, u32 node, struct strbuf *out);

#endif
