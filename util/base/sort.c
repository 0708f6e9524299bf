/*
 * Sort: least significant digit first, 8 bits at a time; insertion sort for few pairs. Strings are sorted by
 * their first 8 bytes, most significant differing digit first; strings with equal first bytes by the next 8
 * bytes, and so on.
 */
#include "sort.h"

#include <endian.h>
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
#define DEPTH_MAX 1024		/* bytes in common: after them, a comparison is as good */
#define FEW 24			/* insertion sort is as fast */
#define DIGIT_BITS 8

typedef u64 unaligned_u64 __attribute__((aligned(1), may_alias));

/* for the last bytes of a page, after which memory may end */
static u64 slow_key(const char *s)
{
	u64 key = 0;

	for (int i = 0; i < KEY && s[i]; i++)
		key |= (u64)(u8)s[i] << 8 * (KEY - 1 - i);
	return key;
}

/*
 * The next bytes in the order of strcmp(), which are 0 from the end of the string on. Bytes after the end are
 * loaded, too, but none of another page
 */
__attribute__((no_sanitize("address"))) static u64 string_key(const char *s)
{
	const u64 low = 0x7f7f7f7f7f7f7f7f;
	u64 key, ends;

	if (((uintptr_t)s & 4095) > 4096 - KEY)
		return slow_key(s);
	key = be64toh(*(const unaligned_u64 *)s);
	ends = ~(((key & low) + low) | key | low);	/* the upper bit of each byte that is 0 */
	if (ends)
		key &= ~(UINT64_MAX >> (__builtin_clzll(ends) & ~7));
	return key;
}

struct sort_string sort_string(const char *s)
{
	return (struct sort_string){ string_key(s), s };
}

/* strings that are sorted are written over those that were there at first: there are never more of them */
struct string_sort {
	struct sort_string *out, *tmp;
	size_t nr_out;
};

static void add_sorted(struct string_sort *s, struct sort_string x)
{
	s->out[s->nr_out++] = x;
}

static void sort_few(struct sort_string *v, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		struct sort_string x = v[i];
		size_t j = i;

		for (; j > 0 && v[j - 1].key > x.key; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(((const struct sort_string *)a)->s, ((const struct sort_string *)b)->s);
}

static void sort_deep(struct string_sort *s, struct sort_string *v, size_t nr)
{
	qsort(v, nr, sizeof(*v), compare_strings);
	for (size_t i = 0; i < nr; i++)
		if (i + 1 == nr || strcmp(v[i].s, v[i + 1].s))
			add_sorted(s, v[i]);
}

/* brings strings into the order of one digit of their keys */
static void sort_digit(struct sort_string *v, struct sort_string *tmp, size_t nr, u32 shift)
{
	/* neighbours are often equal: each of the two counters is busy half of the time */
	u32 count[2][1 << DIGIT_BITS] = { 0 }, pos = 0;

	for (size_t i = 0; i < nr; i++)
		count[i & 1][(u8)(v[i].key >> shift)]++;
	for (u32 d = 0; d < 1 << DIGIT_BITS; d++) {
		u32 n = count[0][d] + count[1][d];

		count[0][d] = pos;
		pos += n;
	}
	for (size_t i = 0; i < nr; i++)
		tmp[count[0][(u8)(v[i].key >> shift)]++] = v[i];
	memcpy(v, tmp, nr * sizeof(*v));
}

static u64 differing_bits(const struct sort_string *v, size_t nr)
{
	u64 diff = 0;

	for (size_t i = 1; i < nr; i++)
		diff |= v[i].key ^ v[0].key;
	return diff;
}

/* strings whose first depth bytes are equal, with keys of the next bytes */
static void sort_from(struct string_sort *s, struct sort_string *v, size_t nr, size_t depth)
{
	u64 diff = nr > FEW ? differing_bits(v, nr) : 0;
	u32 shift = 0;

	if (nr <= FEW) {
		sort_few(v, nr);
	} else if (diff) {
		shift = MAX(64 - __builtin_clzll(diff), DIGIT_BITS) - DIGIT_BITS;
		sort_digit(v, s->tmp, nr, shift);
	}
	for (size_t i = 0, end; i < nr; i = end) {
		u64 key = v[i].key;

		end = i + 1;
		while (end < nr && v[end].key >> shift == key >> shift)
			end++;
		if (end - i == 1 || (!shift && !(key & 0xff))) {
			add_sorted(s, v[i]);
		} else if (shift) {
			sort_from(s, v + i, end - i, depth);
		} else if (depth + KEY >= DEPTH_MAX) {
			sort_deep(s, v + i, end - i);
		} else {
			for (size_t j = i; j < end; j++)
				v[j].key = string_key(v[j].s + depth + KEY);
			sort_from(s, v + i, end - i, depth + KEY);
		}
	}
}

size_t sort_strings(struct sort_string *v, size_t nr)
{
	struct string_sort s = { .out = v };

	s.tmp = nr > FEW ? xreallocarray(NULL, nr, sizeof(*s.tmp)) : NULL;
	sort_from(&s, v, nr, 0);
	free(s.tmp);
	return s.nr_out;
}
