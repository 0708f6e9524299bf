/*
 * Byte-search: finds several byte strings (needles) in one pass over memory. Owns its tables; the needles
 * belong to the caller.
 */
#ifndef PERF_PROBE_BYTE_SEARCH_H
#define PERF_PROBE_BYTE_SEARCH_H

#include "needles.h"

#define NEEDLE_GROUPS_MAX 20
#define PAIRS_MAX 8

struct byte_table;

struct byte_search {
	const struct needles *group;
	u32 nr_groups;
	size_t reach;		/* bytes of a needle with its end after the first byte, at most */
	bool by_end;		/* all needles have an end: pairs are their last two bytes */
	u32 nr_pairs;		/* number of pairs; if it exceeds PAIRS_MAX, only two has them all */
	u8 pair[PAIRS_MAX][2];
	u8 *two;		/* bit per value of a pair */
	struct byte_table *table;	/* instead of the above, for many needles; or NULL */
};

/* false: there are no needles. The groups must outlive it */
bool byte_search_init(struct byte_search *b, const struct needles *group, u32 nr_groups);
void byte_search_release(struct byte_search *b);
/* searches len bytes at p, whose offset is base; false: the callback has stopped the search */
bool byte_search_run(const struct byte_search *b, const u8 *p, size_t len, u64 base, hit_fn *hit, void *ctx);

#endif
