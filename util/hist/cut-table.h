/*
 * Cut table: sums by number, for numbers below a limit of which only some occur. It behaves like an array of
 * that many sums, but while few numbers occur it takes 12 bytes for each, and at most about twice as many are
 * reserved; when an array is not much larger, it becomes one.
 */
#ifndef PERF_HIST_CUT_TABLE_H
#define PERF_HIST_CUT_TABLE_H

#include "../base/types.h"

struct cut_table_slot {
	u32 number;		/* plus one; 0: free */
	u64 sum;
} __attribute__((packed, aligned(4)));

struct cut_table {
	struct cut_table_slot *slot;	/* by hash: the lowest bits of the number; NULL: array is used */
	u64 *array;
	u32 mask, nr, limit;
};

/* for numbers below limit, which is a power of two */
void cut_table_init(struct cut_table *t, u32 limit);
void cut_table_release(struct cut_table *t);
void cut_table_grow(struct cut_table *t);
/* sums below min become 0 */
void cut_table_drop(struct cut_table *t, u64 min);

static inline struct cut_table_slot *cut_table_find(const struct cut_table *t, u32 number)
{
	u32 i = number & t->mask;

	while (t->slot[i].number && t->slot[i].number != number + 1)
		i = (i + 1) & t->mask;
	return &t->slot[i];
}

static inline u64 cut_table_sum(const struct cut_table *t, u32 number)
{
	return t->slot ? cut_table_find(t, number)->sum : t->array[number];
}

static inline void cut_table_add(struct cut_table *t, u32 number, u64 value)
{
	struct cut_table_slot *s;

	if (unlikely(!t->slot)) {
		t->array[number] += value;
		return;
	}
	s = cut_table_find(t, number);
	s->sum += value;
	if (likely(s->number))
		return;
	s->number = number + 1;
	if (unlikely(++t->nr > t->mask / 4 * 3))
		cut_table_grow(t);
}

#endif
