/* Sort: least significant digit first, 8 bits at a time; insertion sort for few pairs. */
#include "sort.h"

#include <string.h>

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

void sort_pairs(struct sort_pair *pairs, struct sort_pair *tmp, size_t nr)
{
	size_t count[DIGITS][256];
	struct sort_pair *from = pairs, *to = tmp;

	if (nr <= 48) {
		insertion_sort(pairs, nr);
		return;
	}
	memset(count, 0, sizeof(count));
	for (size_t i = 0; i < nr; i++)
		for (int d = 0; d < DIGITS; d++)
			count[d][(pairs[i].key >> (8 * d)) & 0xff]++;
	for (int d = 0; d < DIGITS; d++) {
		size_t *c = count[d], pos = 0;

		if (c[(from[0].key >> (8 * d)) & 0xff] == nr)
			continue;
		for (int i = 0; i < 256; i++) {
			size_t n = c[i];

			c[i] = pos;
			pos += n;
		}
		for (size_t i = 0; i < nr; i++)
			to[c[(from[i].key >> (8 * d)) & 0xff]++] = from[i];
		struct sort_pair *swap = from;
		from = to;
		to = swap;
	}
	if (from != pairs)
		memcpy(pairs, from, nr * sizeof(*pairs));
}
