/*
 * Sort: a stable radix sort of (key, value) pairs, and one of strings, for tables too large for comparison
 * sorts. Owns nothing.
 */
#ifndef PERF_BASE_SORT_H
#define PERF_BASE_SORT_H

#include "types.h"

struct sort_pair {
	u64 key;
	u32 val;
};

/*
 * sorts ascending by key; equal keys keep their order. tmp has room for nr pairs, too. Digits that are equal
 * in all keys cost nothing
 */
void sort_pairs(struct sort_pair *pairs, struct sort_pair *tmp, size_t nr);
/* sorts in the order of strcmp(); at most UINT32_MAX strings */
void sort_strings(const char **v, size_t nr);

#endif
