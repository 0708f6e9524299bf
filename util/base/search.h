/* Search: binary search in what is sorted. */
#ifndef PERF_BASE_SEARCH_H
#define PERF_BASE_SEARCH_H

#include <stddef.h>

/*
 * The first position for which is_before, an expression of i, is false; nr if it is true for all. It must be
 * true for all positions before that one and false for all after it:
 *
 *	size_t at = LOWER_BOUND(v.nr, i, v.v[i].addr < addr);
 */
#define LOWER_BOUND(nr_, i, is_before) ({ \
	size_t low_ = 0, high_ = (nr_); \
\
	while (low_ < high_) { \
		size_t i = low_ + (high_ - low_) / 2; \
\
		if (is_before) \
			low_ = i + 1; \
		else \
			high_ = i; \
	} \
	low_; \
})

#endif
