/*
 * Digits: numbers written straight into memory that the caller reserved, for outputs of millions of lines.
 * Each put_ function returns the address after what it wrote; no NUL is added.
 */
#ifndef PERF_BASE_DIGITS_H
#define PERF_BASE_DIGITS_H

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

/* lower-case hex, no padding */
static inline char *put_hex(char *p, u64 v)
{
	int nr = v ? 16 - __builtin_clzll(v) / 4 : 1;

	for (int i = nr - 1; i >= 0; i--, v >>= 4)
		p[i] = "0123456789abcdef"[v & 15];
	return p + nr;
}

/* 16 characters: lower-case hex, right-aligned with blanks */
static inline char *put_hex16(char *p, u64 v)
{
	int blanks = v ? __builtin_clzll(v) / 4 : 15;

	for (int i = 0; i < 8; i++)
		memcpy(p + i * 2, hex_pairs + (v >> (56 - i * 8) & 255) * 2, 2);
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
