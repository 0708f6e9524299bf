/*
 * Places: frames of a sample's other addresses: both ends of a branch, data.
 *
 * A branch is filtered by where its sample was taken, and by whether its ends have names. That is known when frames are named,
 * so what it takes stands behind the keys of a sample_key while counting.
 */
#ifndef PERF_HIST_PLACE_H
#define PERF_HIST_PLACE_H

#include "count.h"

/* frame of code that is on any side: as the kernel's branch stacks have it, the address alone says where it is */
u32 branch_frame(struct lookup *l, const struct resolved_sample *rs, u64 ip);

/* frame of data, on the side that the sample was taken on */
u32 data_frame(struct lookup *l, const struct resolved_sample *rs, u64 addr);

#define BRANCH_WORDS 2
/* the words of hit->branch; frames are looked up only where a filter asks for them. last: the branch stack ends with it */
void branch_words(struct count_worker *w, const struct hist_opts *o, const struct resolved_sample *rs, bool last, u64 *ret);
/* the last of its sample: samples are counted by these */
bool branch_is_last(const u64 *words);
/* what filters say of the branches with these words; h->keep_frame is set */
enum filter_verdict branch_verdict(const struct hist *h, const struct count_worker *w, const u64 *words);

#endif
