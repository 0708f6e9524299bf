/*
 * Byte-search: a filter by two bytes, 16 places at a time. These are the first two bytes of what is wanted,
 * if they have few values. Where each needle has an end, ends are searched for: texts contain the beginning
 * of a name more often.
 */
#include "byte-search.h"

#include <stdlib.h>
#include <string.h>
#include "../base/alloc.h"
#include "byte-table.h"

#define VECTOR 16
typedef u8 bytes_vector __attribute__((vector_size(VECTOR)));
typedef u64 words_vector __attribute__((vector_size(VECTOR)));

static inline bool is_wanted(const struct byte_search *b, const u8 *at)
{
	unsigned int two = at[0] | at[1] << 8;

	return b->two[two >> 3] >> (two & 7) & 1;
}

/* the next place from at on with one of nr pairs, or end; nr is a constant where it is called */
static inline __attribute__((always_inline)) const u8 *
find_pairs(const struct byte_search *b, const u8 *at, const u8 *end, u32 nr)
{
	bytes_vector one[PAIRS_MAX], two[PAIRS_MAX], v, w;

	for (u32 i = 0; i < nr; i++) {
		memset(&one[i], b->pair[i][0], VECTOR);
		memset(&two[i], b->pair[i][1], VECTOR);
	}
	for (; end - at > VECTOR; at += VECTOR) {
		words_vector hit;

		memcpy(&v, at, VECTOR);
		memcpy(&w, at + 1, VECTOR);
		hit = (words_vector)((v == one[0]) & (w == two[0]));
		for (u32 i = 1; i < nr; i++)
			hit |= (words_vector)((v == one[i]) & (w == two[i]));
		if (likely(!(hit[0] | hit[1])))
			continue;
		while (!is_wanted(b, at))
			at++;
		return at;
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

bool needle_is_at(const struct needles *n, const u8 *at, const u8 *needle, const u8 *end)
{
	if (n->len > (size_t)(end - at) || memcmp(at, needle, n->len))
		return false;
	return !n->ends || ((size_t)(end - at) > n->len && (!at[n->len] || at[n->len] == '<'));
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

const u8 *byte_find_end(const u8 *at, const u8 *end)
{
	bytes_vector other, nul = { 0 }, v;

	memset(&other, '<', VECTOR);
	for (; end - at >= VECTOR; at += VECTOR) {
		words_vector hit;

		memcpy(&v, at, VECTOR);
		hit = (words_vector)((v == nul) | (v == other));
		if (hit[0] | hit[1])
			break;
	}
	while (at < end && *at && *at != '<')
		at++;
	return at;
}

/* needles that end before at */
static bool run_from_end(const struct byte_search *b, const u8 *p, size_t len, u64 base, hit_fn *hit,
			 void *ctx)
{
	const u8 *at = p, *end = p + len;

	for (; (at = byte_find_end(at, end)) < end; at++) {
		if (at - p < 2 || !is_wanted(b, at - 2))
			continue;
		for (u32 g = 0; g < b->nr_groups; g++) {
			const struct needles *n = &b->group[g];

			if (!n->nr || (size_t)(at - p) < n->len)
				continue;
			for (size_t i = 0; i < n->nr; i++)
				if (!memcmp(at - n->len, n->v + i * n->len, n->len) &&
				    !hit(ctx, base + (at - p) - n->len, g))
					return false;
		}
	}
	return true;
}

bool byte_search_run(const struct byte_search *b, const u8 *p, size_t len, u64 base, hit_fn *hit, void *ctx)
{
	if (b->table)
		return byte_table_run(b->table, p, len, base, hit, ctx);
	return (b->by_end ? run_from_end : run_from_start)(b, p, len, base, hit, ctx);
}
