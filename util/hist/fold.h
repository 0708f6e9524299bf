/* Folding: names the counted frames, folds every worker's rows and stacks into labels and a trie, merges them into one hist. */
#ifndef PERF_HIST_FOLD_H
#define PERF_HIST_FOLD_H

#include "count.h"

/* h->session and h->opts are set; fills names, labels, bases, trie, row. Uses up the workers' stacks and rows */
void fold_run(struct hist *h, struct count_worker *workers);

/* makes entries from h->row, h->trie: sums, children totals, row references */
void entries_make(struct hist *h);

struct sort_pair;
/* entry i becomes what pair[i].val names; uses pair up */
void entries_permute(struct hist_entry *e, struct sort_pair *pair, size_t nr);

#endif
