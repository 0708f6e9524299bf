/*
 * Address frames: frames of a sample's other addresses: both ends of a branch, data.
 *
 * A branch is filtered by where its sample was taken, and by whether its ends have names. That is known when
 * frames are named, so the words for it are kept after the keys of a sample_key while counting.
 */
#ifndef PERF_HIST_ADDRESS_FRAMES_H
#define PERF_HIST_ADDRESS_FRAMES_H

#include "count-worker.h"
#include "hist.h"

/* frame of code on any side: as in the kernel's branch stacks, the address alone tells where it is */
u32 branch_frame(struct lookup *l, const struct resolved_sample *rs, u64 ip);

/* frame of data, on the side of the sample */
u32 data_frame(struct lookup *l, const struct resolved_sample *rs, u64 addr);

#define BRANCH_WORDS 2
/*
 * the words of rs->branch; frames are looked up only if a filter needs them. last: it is the last branch of
 * its stack
 */
void branch_words(struct count_worker *w, const struct hist_opts *o, const struct resolved_sample *rs,
		  bool last, u64 *ret);
/* the words of a branch that the filters have kept */
void branch_words_kept(bool last, u64 ret[BRANCH_WORDS]);
/* true for the last branch of a sample; the number of these is the number of samples */
bool branch_is_last(const u64 *words);
/* the verdict of the filters about the branch with these words; h->keep_frame is set */
enum filter_verdict branch_verdict(const struct hist *h, const struct count_worker *w, const u64 *words);

#endif
