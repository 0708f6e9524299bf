/*
 * Byte-table: a byte-search for many needles, which are too many to compare one by one: a hash table of four
 * bytes of each. Owns its tables; the needles belong to the caller.
 */
#ifndef PERF_PROBE_BYTE_TABLE_H
#define PERF_PROBE_BYTE_TABLE_H

#include "../base/hash.h"
#include "../base/vec.h"
#include "needles.h"

#define BYTE_TABLE_KEY 4

struct byte_table_needle {
	const u8 *v;
	u32 group;
};

struct byte_table {
	const struct needles *group;
	struct { VEC(struct byte_table_needle); } needle;
	struct hidx by_key;
	u8 *filter;		/* a bit per hash of a key */
	bool by_end;		/* the last bytes of each needle are its key, else the first ones */
};

/* true if there are many needles, all of at least four bytes */
bool byte_table_suits(const struct needles *group, u32 nr_groups);
void byte_table_init(struct byte_table *t, const struct needles *group, u32 nr_groups, bool by_end);
void byte_table_release(struct byte_table *t);
/* as byte_search_run() */
bool byte_table_run(const struct byte_table *t, const u8 *p, size_t len, u64 base, hit_fn *hit, void *ctx);

#endif
