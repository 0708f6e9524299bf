/*
 * Sort: least significant digit first, 8 bits at a time; insertion sort for few pairs. Strings are sorted by
 * their first 8 bytes, and those that have them in common by what follows.
 */
#include "sort.h"

#include <stdlib.h>
#include <string.h>
#include "alloc.h"

#define DIGITS 8

static void insertion_sort(struct sort_pair *p, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		struct sort_pair x = p[i];
		size_t j = i;

		for (; j > 0 && p[j - 1].key > x.key; j--)
			p[j] = p[j - 1];
		p[j] = x;
	}
}

/* shifts of the digits in which keys differ; returns their number */
static u32 find_digits(const struct sort_pair *pairs, size_t nr, u32 *shift)
{
	u64 diff = 0;
	u32 n = 0;

	for (size_t i = 1; i < nr; i++)
		diff |= pairs[i].key ^ pairs[0].key;
	for (u32 d = 0; d < DIGITS; d++)
		if (diff >> 8 * d & 0xff)
			shift[n++] = 8 * d;
	return n;
}

void sort_pairs(struct sort_pair *pairs, struct sort_pair *tmp, size_t nr)
{
	size_t count[DIGITS][256];
	struct sort_pair *from = pairs, *to = tmp;
	u32 shift[DIGITS], nr_digits;

	if (nr <= 48) {
		insertion_sort(pairs, nr);
		return;
	}
	nr_digits = find_digits(pairs, nr, shift);
	memset(count, 0, nr_digits * sizeof(*count));
	for (size_t i = 0; i < nr; i++)
		for (u32 d = 0; d < nr_digits; d++)
			count[d][(pairs[i].key >> shift[d]) & 0xff]++;
	for (u32 d = 0; d < nr_digits; d++) {
		size_t *c = count[d], pos = 0;

		for (int i = 0; i < 256; i++) {
			size_t n = c[i];

			c[i] = pos;
			pos += n;
		}
		for (size_t i = 0; i < nr; i++)
			to[c[(from[i].key >> shift[d]) & 0xff]++] = from[i];
		struct sort_pair *swap = from;
		from = to;
		to = swap;
	}
	if (from != pairs)
		memcpy(pairs, from, nr * sizeof(*pairs));
}

/* --- strings */

#define KEY 8
#define DEPTH_MAX 4096		/* bytes in common: after them, a comparison is as good */

/* the next bytes in the order of strcmp(), which are 0 from the end of the string on */
static u64 string_key(const char *s)
{
	u64 key = 0;

	for (int i = 0; i < KEY && s[i]; i++)
		key |= (u64)(u8)s[i] << 8 * (KEY - 1 - i);
	return key;
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* room for as many strings as are sorted */
struct string_sort {
	struct sort_pair *pair, *tmp;
	const char **old;
};

static void sort_from(const struct string_sort *s, const char **v, size_t nr, size_t depth)
{
	if (nr < 8 || depth > DEPTH_MAX) {
		qsort(v, nr, sizeof(*v), compare_strings);
		return;
	}
	for (size_t i = 0; i < nr; i++)
		s->pair[i] = (struct sort_pair){ string_key(v[i] + depth), i };
	sort_pairs(s->pair, s->tmp, nr);
	memcpy(s->old, v, nr * sizeof(*v));
	for (size_t i = 0; i < nr; i++)
		v[i] = s->old[s->pair[i].val];
	for (size_t i = 0, end; i < nr; i = end) {
		u64 key = s->pair[i].key;

		end = i + 1;
		while (end < nr && s->pair[end].key == key)
			end++;
		/* the keys after these strings are still needed */
		if (end - i > 1 && (key & 0xff)) {
			const struct string_sort rest = { s->pair + i, s->tmp + i, s->old + i };

			sort_from(&rest, v + i, end - i, depth + KEY);
		}
	}
}

void sort_strings(const char **v, size_t nr)
{
	struct string_sort s;

	if (nr < 2)
		return;
	s.pair = xreallocarray(NULL, nr, 2 * sizeof(*s.pair));
	s.tmp = s.pair + nr;
	s.old = xreallocarray(NULL, nr, sizeof(*s.old));
	sort_from(&s, v, nr, 0);
	free(s.pair);
	free(s.old);
}
