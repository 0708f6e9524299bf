/*
 * Byte-table: a bit per hash of four bytes rejects most places. The bits are few enough for the first-level
 * cache.
 */
#include "byte-table.h"

#include <stdlib.h>
#include <string.h>
#include "../base/alloc.h"

#define MANY 32			/* needles that are compared one by one, at most */
#define FILTER_BITS 18

static inline u32 key_at(const u8 *at)
{
	u32 key;

	memcpy(&key, at, sizeof(key));
	return key;
}

static inline u32 filter_bit(u32 key)
{
	return key * 0x9e3779b1u >> (32 - FILTER_BITS);
}

static inline bool may_be_key(const struct byte_table *t, u32 key)
{
	u32 bit = filter_bit(key);

	return t->filter[bit >> 3] >> (bit & 7) & 1;
}

bool byte_table_suits(const struct needles *group, u32 nr_groups)
{
	size_t nr = 0;

	for (u32 g = 0; g < nr_groups; g++) {
		if (group[g].nr && group[g].len < BYTE_TABLE_KEY)
			return false;
		nr += group[g].nr;
	}
	return nr > MANY;
}

void byte_table_init(struct byte_table *t, const struct needles *group, u32 nr_groups, bool by_end)
{
	*t = (struct byte_table){ .group = group, .by_end = by_end };
	t->filter = xcalloc((1u << FILTER_BITS) / 8, 1);
	for (u32 g = 0; g < nr_groups; g++) {
		const struct needles *n = &group[g];

		for (size_t i = 0; i < n->nr; i++) {
			const u8 *v = n->v + i * n->len;
			u32 key = key_at(by_end ? v + n->len - BYTE_TABLE_KEY : v), bit = filter_bit(key);

			hidx_insert(&t->by_key, hash_u64(key), t->needle.nr);
			vec_push(&t->needle, (struct byte_table_needle){ v, g });
			t->filter[bit >> 3] |= 1 << (bit & 7);
		}
	}
}

void byte_table_release(struct byte_table *t)
{
	hidx_release(&t->by_key);
	vec_release(&t->needle);
	free(t->filter);
}

/* the needles with this key, which is at at, or ends there; p to end are the bytes */
static bool compare(const struct byte_table *t, u32 key, const u8 *p, const u8 *at, const u8 *end, u64 base,
		    hit_fn *hit, void *ctx)
{
	u32 id;

	HIDX_FOREACH(&t->by_key, hash_u64(key), id) {
		const struct byte_table_needle *b = &t->needle.v[id];
		const struct needles *n = &t->group[b->group];
		const u8 *start = at;

		if (t->by_end) {
			if ((size_t)(at - p) < n->len)
				continue;
			start = at - n->len;
		}
		if (needle_is_at(n, start, b->v, end) && !hit(ctx, base + (start - p), b->group))
			return false;
	}
	return true;
}

static bool run_from_end(const struct byte_table *t, const u8 *p, size_t len, u64 base, hit_fn *hit,
			 void *ctx)
{
	const u8 *at = p, *end = p + len;

	for (; (at = byte_find_end(at, end)) < end; at++) {
		u32 key = at - p < BYTE_TABLE_KEY ? 0 : key_at(at - BYTE_TABLE_KEY);

		if (at - p >= BYTE_TABLE_KEY && may_be_key(t, key) &&
		    !compare(t, key, p, at, end, base, hit, ctx))
			return false;
	}
	return true;
}

bool byte_table_run(const struct byte_table *t, const u8 *p, size_t len, u64 base, hit_fn *hit, void *ctx)
{
	const u8 *end = p + len;

	if (t->by_end)
		return run_from_end(t, p, len, base, hit, ctx);
	for (const u8 *at = p; end - at >= BYTE_TABLE_KEY; at++) {
		u32 key = key_at(at);

		if (unlikely(may_be_key(t, key)) && !compare(t, key, p, at, end, base, hit, ctx))
			return false;
	}
	return true;
}
