/*
 * Needles: the byte strings that searches look for, and where one of them ends. They belong to the caller of
 * a search.
 */
#ifndef PERF_PROBE_NEEDLES_H
#define PERF_PROBE_NEEDLES_H

#include <string.h>
#include "../base/types.h"

/* byte strings of one length, which is at least 2 */
struct needles {
	size_t len;
	const u8 *v;		/* nr strings of len bytes, one after another */
	size_t nr;
	bool ends;		/* a NUL or '<' must follow, as after names of functions and templates */
};

/* a needle of group[group] is at off; returns false to stop the search */
typedef bool hit_fn(void *ctx, u64 off, u32 group);

/* true if the needle, one of n, begins at at and its terminating byte follows */
static inline bool needle_is_at(const struct needles *n, const u8 *at, const u8 *needle, const u8 *end)
{
	if (n->len > (size_t)(end - at) || memcmp(at, needle, n->len))
		return false;
	return !n->ends || ((size_t)(end - at) > n->len && (!at[n->len] || at[n->len] == '<'));
}

/* the next NUL or '<' from at on, or end */
const u8 *byte_find_end(const u8 *at, const u8 *end);

#endif
