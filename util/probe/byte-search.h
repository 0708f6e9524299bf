/*
 * Byte-search: finds strings of bytes in memory, several at once, so that a section is read once for all that
 * is wanted of it. Owns nothing but its table; the needles are the caller's.
 */
#ifndef PERF_PROBE_BYTE_SEARCH_H
#define PERF_PROBE_BYTE_SEARCH_H

#include "../base/types.h"

#define NEEDLE_GROUPS_MAX 20
#define PAIRS_MAX 8

struct byte_table;

/* one or more strings of bytes of one length, from 2 on */
struct needles {
	size_t len;
	const u8 *v;		/* one after another */
	size_t nr;
	bool ends;		/* a NUL or '<' must follow, as after names of functions and templates */
};

/* found at off: a string of groups[group]; false: the search may stop */
typedef bool hit_fn(void *ctx, u64 off, u32 group);

struct byte_search {
	const struct needles *group;
	u32 nr_groups;
	size_t reach;		/* bytes of a hit that follow its first one, at most */
	bool is_wide;		/* the processor compares 32 bytes at once */
	bool by_end;		/* all needles have an end: their last two bytes count, else the first two */
	u32 nr_pairs;		/* values of these two bytes; above PAIRS_MAX they are only in two */
	u8 pair[PAIRS_MAX][2];
	u8 *two;		/* bit per value */
	struct byte_table *table;	/* instead of the above, for many needles; or NULL */
};

/* false: nothing is searched for. The groups must outlive it */
bool byte_search_init(struct byte_search *b, const struct needles *group, u32 nr_groups);
void byte_search_release(struct byte_search *b);
/* p are the bytes from offset base on; false: the callback has stopped it */
bool byte_search_run(const struct byte_search *b, const u8 *p, size_t len, u64 base, hit_fn *hit, void *ctx);

/* true if the needle, one of n, begins at at and its terminating byte follows */
bool needle_is_at(const struct needles *n, const u8 *at, const u8 *needle, const u8 *end);
/* the next NUL or '<' from at on, or end */
const u8 *byte_find_end(const u8 *at, const u8 *end);

#endif
