/*
 * Digits: numbers written straight into memory that the caller reserved, for outputs of millions of lines.
 * Each put_ function returns the address after what it wrote; no NUL is added.
 */
#ifndef PERF_BASE_DIGITS_H
#define PERF_BASE_DIGITS_H

#include <endian.h>
#include <string.h>
#include "types.h"

extern const char digit_pairs[200];	/* "00" "01" ... "99" */
extern const char hex_pairs[512];	/* "00" "01" ... "ff" */

/* exactly nr digits (nr even), leading zeros kept */
static inline char *put_digits_fixed(char *p, u64 v, int nr)
{
	for (int i = nr - 2; i >= 0; i -= 2, v /= 100)
		memcpy(p + i, digit_pairs + v % 100 * 2, 2);
	return p + nr;
}

/* decimal, right-aligned in width with blanks; at most 20 bytes or width */
static inline char *put_dec(char *p, u64 v, int width)
{
	char tmp[20];
	int i = 20;

	while (v >= 100) {
		i -= 2;
		memcpy(tmp + i, digit_pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10) {
		i -= 2;
		memcpy(tmp + i, digit_pairs + v * 2, 2);
	} else {
		tmp[--i] = '0' + v;
	}
	for (int pad = width - (20 - i); pad > 0; pad--)
		*p++ = ' ';
	memcpy(p, tmp + i, 20 - i);
	return p + 20 - i;
}

/* 8 digits of lower-case hex, without a look-up or a jump */
static inline void put_hex8(char *p, u32 v)
{
	const u64 ones = 0x0101010101010101;
	u64 x = v, letters;

	x = (x << 16 | x) & 0x0000ffff0000ffff;	/* each digit gets a byte; the last one the lowest address */
	x = (x << 8 | x) & 0x00ff00ff00ff00ff;
	x = (x << 4 | x) & 0x0f0f0f0f0f0f0f0f;
	letters = (x + 6 * ones) >> 4 & ones;
	x = htobe64(x + '0' * ones + letters * ('a' - '9' - 1));
	memcpy(p, &x, sizeof(x));
}

/* lower-case hex, no padding */
static inline char *put_hex(char *p, u64 v)
{
	int nr = v ? 16 - __builtin_clzll(v) / 4 : 1;

	for (int i = nr - 1; i >= 0; i--, v >>= 4)
		p[i] = "0123456789abcdef"[v & 15];
	return p + nr;
}

/* the same; writes 16 bytes, of which those after the returned address do not matter */
static inline char *put_hex_spilling(char *p, u64 v)
{
	int blanks = v ? __builtin_clzll(v) / 4 : 15;
	u64 left = v << blanks * 4;

	put_hex8(p, left >> 32);
	put_hex8(p + 8, left);
	return p + 16 - blanks;
}

/* 16 characters: lower-case hex, right-aligned with blanks */
static inline char *put_hex16(char *p, u64 v)
{
	int blanks = v ? __builtin_clzll(v) / 4 : 15;

	put_hex8(p, v >> 32);
	put_hex8(p + 8, v);
	memset(p, ' ', blanks);
	return p + 16;
}

/* the value of a hex digit of either case, or -1 */
static inline int hex_digit(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif
