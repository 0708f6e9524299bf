/*
 * Stacks-contents: the order of frames, modules and sets of labels by what they contain, whatever their
 * numbers are. stacks_finish() and stacks_settle() have the same order by it. Private to the stacks.
 */
#ifndef PERF_VIEW_STACKS_CONTENTS_H
#define PERF_VIEW_STACKS_CONTENTS_H

#include "../base/types.h"

struct stacks;

/* elements by their numbers: less than, equal to, or more than 0 */
typedef int (*stacks_cmp)(const struct stacks *s, u32 a, u32 b);

int stacks_cmp_numbers(u64 a, u64 b);
/* frames without a module are the last; modules are equal only if they have the same number */
int stacks_cmp_modules(const struct stacks *s, u32 a, u32 b);
int stacks_cmp_frames(const struct stacks *s, u32 a, u32 b);
int stacks_cmp_labels(const struct stacks *s, u32 a, u32 b);

/* sorts nr numbers; equal ones stay in their order. tmp: room for as many */
void stacks_sort_ids(const struct stacks *s, u32 *id, u32 *tmp, size_t nr, stacks_cmp cmp);
/* the numbers from 0 to nr - 1, sorted; the caller frees them */
u32 *stacks_sorted_ids(const struct stacks *s, u32 nr, stacks_cmp cmp);

#endif
