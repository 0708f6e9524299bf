/*
 * New-addresses: a one-to-one replacement of addresses, for copies that do not say where programs and the
 * kernel were in memory. Ranges that overlap, or have a page in common, move as one; ranges are placed in the
 * order in which they were added, so the result shows nothing of the former order. An address in no range
 * gets another page. Positions in a page stay. Since the whole profile has one replacement, whatever was at
 * one place, or in one map, still is.
 *
 * Same as before: the first page (NULL), the last one (context markers), and that of vsyscall, which is at
 * the same place in all systems.
 */
#ifndef PERF_INJECT_NEW_ADDRESSES_H
#define PERF_INJECT_NEW_ADDRESSES_H

#include "../base/hash.h"
#include "../base/vec.h"

/* whole pages; both ends included, so that the last one of all can be in it */
struct moved_range {
	u64 first, last, to;
	u32 order;
};

struct new_addresses {
	struct { VEC(struct moved_range); } range;	/* sorted after new_addresses_place() */
	struct { VEC(u64); } page;			/* former numbers of pages that are in no range */
	struct hidx page_idx;
	size_t last;				/* the range that was found last */
};

void new_addresses_add(struct new_addresses *n, u64 addr, u64 len);
/* after all ranges were added: gives them their places. -E2BIG: there is not enough room */
int new_addresses_place(struct new_addresses *n);
u64 new_address(struct new_addresses *n, u64 addr);
/* whether a piece of memory moves as one */
bool new_addresses_has(struct new_addresses *n, u64 addr, u64 len);
void new_addresses_release(struct new_addresses *n);

#endif
