/*
 * Byte-search: a filter by two bytes, for 128 places at a time while these bytes have few values. They are
 * the first two of a needle; if all needles have an end, the last two, because beginnings of names are more
 * frequent in texts. Vectors have 16 bytes, which all processors compare at once: compilers split wider ones
 * into single bytes where the processor lacks them, and AVX2 is only a tenth faster.
 */
#include "byte-search.h"

#include <stdlib.h>
#include <string.h>
#include "../base/alloc.h"
#include "byte-table.h"

#define VECTOR 16
#define BLOCK (8 * VECTOR)
typedef u8 bytes_vector __attribute__((vector_size(VECTOR)));
typedef u64 words_vector __attribute__((vector_size(VECTOR)));

#define INLINE static inline __attribute__((always_inline))

static inline bool is_wanted(const struct byte_search *b, const u8 *at)
{
	unsigned int two = at[0] | at[1] << 8;

	return b->two[two >> 3] >> (two & 7) & 1;
}

INLINE bool has_any(const words_vector *hit)
{
	u64 words[VECTOR / 8];

	memcpy(words, hit, sizeof(words));
	return words[0] | words[1];
}

/* sets bits of ret where the byte of one is at at and the byte of two follows it */
INLINE void match_pairs(const bytes_vector *one, const bytes_vector *two, u32 nr, const u8 *at,
			words_vector *ret)
{
	bytes_vector v, w, hit = { 0 };

	memcpy(&v, at, VECTOR);
	memcpy(&w, at + 1, VECTOR);
	for (u32 i = 0; i < nr; i++)
		hit |= (bytes_vector)((v == one[i]) & (w == two[i]));
	*ret |= (words_vector)hit;
}

/* the next place from at on with one of nr pairs, or end; nr is a constant where it is called */
INLINE const u8 *find_pairs(const struct byte_search *b, const u8 *at, const u8 *end, u32 nr)
{
	bytes_vector one[PAIRS_MAX], two[PAIRS_MAX];
	words_vector hit;

	for (u32 i = 0; i < nr; i++) {
		memset(&one[i], b->pair[i][0], VECTOR);
		memset(&two[i], b->pair[i][1], VECTOR);
	}
	for (; end - at > BLOCK; at += BLOCK) {
		hit = (words_vector){ 0 };
		for (u32 k = 0; k < BLOCK; k += VECTOR)
			match_pairs(one, two, nr, at + k, &hit);
		if (unlikely(has_any(&hit)))
			break;
	}
	for (; end - at > VECTOR; at += VECTOR) {
		hit = (words_vector){ 0 };
		match_pairs(one, two, nr, at, &hit);
		if (has_any(&hit))
			break;
	}
	while (end - at >= 2 && !is_wanted(b, at))
		at++;
	return end - at >= 2 ? at : end;
}

static const u8 *find_first(const struct byte_search *b, const u8 *at, const u8 *end)
{
	switch (b->nr_pairs) {
	case 1: return find_pairs(b, at, end, 1);
	case 2: return find_pairs(b, at, end, 2);
	case 3: return find_pairs(b, at, end, 3);
	case 4: return find_pairs(b, at, end, 4);
	case 5: return find_pairs(b, at, end, 5);
	case 6: return find_pairs(b, at, end, 6);
	case 7: return find_pairs(b, at, end, 7);
	case 8: return find_pairs(b, at, end, 8);
	}
	while (end - at >= 2 && !is_wanted(b, at))
		at++;
	return end - at >= 2 ? at : end;
}

static void add_pair(struct byte_search *b, const u8 *two)
{
	unsigned int value = two[0] | two[1] << 8;

	if (b->two[value >> 3] >> (value & 7) & 1)
		return;
	b->two[value >> 3] |= 1 << (value & 7);
	if (b->nr_pairs < PAIRS_MAX)
		memcpy(b->pair[b->nr_pairs], two, 2);
	b->nr_pairs++;
}

bool byte_search_init(struct byte_search *b, const struct needles *group, u32 nr_groups)
{
	*b = (struct byte_search){ .group = group, .nr_groups = nr_groups };
	b->two = xcalloc(65536 / 8, 1);
	b->by_end = true;
	for (u32 g = 0; g < nr_groups; g++)
		b->by_end &= group[g].ends;
	for (u32 g = 0; g < nr_groups; g++) {
		const struct needles *n = &group[g];

		if (!n->nr || n->len < 2)
			continue;
		for (size_t i = 0; i < n->nr; i++)
			add_pair(b, n->v + i * n->len + (b->by_end ? n->len - 2 : 0));
		b->reach = MAX(b->reach, n->len + n->ends - 1);
	}
	if (byte_table_suits(group, nr_groups)) {
		b->table = xmalloc(sizeof(*b->table));
		byte_table_init(b->table, group, nr_groups, b->by_end);
	}
	return b->nr_pairs > 0;
}

void byte_search_release(struct byte_search *b)
{
	if (b->table)
		byte_table_release(b->table);
	free(b->table);
	free(b->two);
}

/* needles of which the first byte is at at */
static bool run_from_start(const struct byte_search *b, const u8 *p, size_t len, u64 base, hit_fn *hit,
			   void *ctx)
{
	const u8 *at = p, *end = p + len;

	for (; (at = find_first(b, at, end)) < end; at++) {
		for (u32 g = 0; g < b->nr_groups; g++) {
			const struct needles *n = &b->group[g];

			for (size_t i = 0; i < n->nr; i++)
				if (needle_is_at(n, at, n->v + i * n->len, end) &&
				    !hit(ctx, base + (at - p), g))
					return false;
		}
	}
	return true;
}

/* needles that end before at, where a NUL or '<' is */
static bool compare_ends(const struct byte_search *b, const u8 *p, const u8 *at, u64 base, hit_fn *hit,
			 void *ctx)
{
	for (u32 g = 0; g < b->nr_groups; g++) {
		const struct needles *n = &b->group[g];

		if (!n->nr || (size_t)(at - p) < n->len)
			continue;
		for (size_t i = 0; i < n->nr; i++)
			if (!memcmp(at - n->len, n->v + i * n->len, n->len) &&
			    !hit(ctx, base + (at - p) - n->len, g))
				return false;
	}
	return true;
}

/* from one end of a string to the next, or from one place with the last two bytes of a needle to the next */
static bool run_from_end(const struct byte_search *b, const u8 *p, size_t len, u64 base, hit_fn *hit,
			 void *ctx)
{
	const u8 *at = p, *end = p + len;

	if (b->nr_pairs > PAIRS_MAX) {
		for (; (at = byte_find_end(at, end)) < end; at++)
			if (at - p >= 2 && is_wanted(b, at - 2) && !compare_ends(b, p, at, base, hit, ctx))
				return false;
		return true;
	}
	for (; end - (at = find_first(b, at, end)) > 2; at++)
		if ((!at[2] || at[2] == '<') && !compare_ends(b, p, at + 2, base, hit, ctx))
			return false;
	return true;
}

bool byte_search_run(const struct byte_search *b, const u8 *p, size_t len, u64 base, hit_fn *hit, void *ctx)
{
	if (b->table)
		return byte_table_run(b->table, p, len, base, hit, ctx);
	return (b->by_end ? run_from_end : run_from_start)(b, p, len, base, hit, ctx);
}
