/*
 * Key tables: a hash table of fixed-width rows of u64 words: nr_key words of key, then nr_sum words that are
 * added up. Row ids count up in the order of first use. Counting needs no other table, and no type per
 * combination of sort keys.
 */
#ifndef PERF_HIST_KEY_TABLE_H
#define PERF_HIST_KEY_TABLE_H

#include <string.h>
#include "../base/hash.h"
#include "../base/vec.h"

struct key_table {
	u32 nr_key, nr_sum;
	size_t nr;
	struct { VEC(u64); } word;
	struct hidx idx;
};

static inline void key_table_init(struct key_table *r, u32 nr_key, u32 nr_sum)
{
	*r = (struct key_table){ .nr_key = nr_key, .nr_sum = nr_sum };
}

static inline u64 *key_table_at(const struct key_table *r, u32 id)
{
	return r->word.v + (size_t)id * (r->nr_key + r->nr_sum);
}

static inline u64 *key_table_sums(const struct key_table *r, u32 id)
{
	return key_table_at(r, id) + r->nr_key;
}

/* adds a row whose key is known to be new, or is never looked up */
static inline u32 key_table_append(struct key_table *r, const u64 *key)
{
	u32 width = r->nr_key + r->nr_sum;

	if (!width)
		return r->nr++;
	vec_reserve(&r->word, r->word.nr + width);
	memcpy(r->word.v + r->word.nr, key, r->nr_key * sizeof(*key));
	memset(r->word.v + r->word.nr + r->nr_key, 0, r->nr_sum * sizeof(*key));
	r->word.nr += width;
	return r->nr++;
}

/* adds this many rows, which are filled in afterwards and never looked up */
static inline void key_table_append_blank(struct key_table *r, size_t nr)
{
	size_t words = nr * (r->nr_key + r->nr_sum);

	vec_reserve(&r->word, r->word.nr + words);
	r->word.nr += words;
	r->nr += nr;
}

/* few words: a call would cost more than the comparison */
static inline bool key_table_equal(const u64 *a, const u64 *b, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* id of the row with that key; it is added with zero sums if it is new */
static inline u32 key_table_get(struct key_table *r, const u64 *key)
{
	u32 id;
	u64 hash = 0;

	for (u32 i = 0; i < r->nr_key; i++)
		hash = hash_mix(hash, key[i]);
	hash = hash_u64(hash);
	HIDX_FOREACH(&r->idx, hash, id)
		if (key_table_equal(key_table_at(r, id), key, r->nr_key))
			return id;
	id = key_table_append(r, key);
	hidx_insert(&r->idx, hash, id);
	return id;
}

static inline void key_table_release(struct key_table *r)
{
	vec_release(&r->word);
	hidx_release(&r->idx);
	r->nr = 0;
}

#endif
