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
struct sort_string {
	u64 key;		/* what sort_strings() compares first */
	const char *s;
};

/* the string to be sorted, with its key: made best when its bytes have just been read */
struct sort_string sort_string(const char *s);
/*
 * sorts in the order of strcmp() and leaves one of equal strings: returns their number; at most UINT32_MAX
 * strings
 */
size_t sort_strings(struct sort_string *v, size_t nr);

#endif
