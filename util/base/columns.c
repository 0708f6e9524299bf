/* Columns: see columns.h. */
#include "columns.h"
#include "types.h"
#include "units.h"

struct char_range {
	u32 first, last;
	u8 columns;
};

static const struct char_range ranges[] = {
	{ 0x0300, 0x036f, 0 },		/* accents that combine */
	{ 0x0483, 0x0489, 0 },
	{ 0x0591, 0x05bd, 0 },
	{ 0x064b, 0x065f, 0 },
	{ 0x1100, 0x115f, 2 },		/* Hangul */
	{ 0x1ab0, 0x1aff, 0 },
	{ 0x1dc0, 0x1dff, 0 },
	{ 0x200b, 0x200f, 0 },		/* without a width, marks of direction */
	{ 0x20d0, 0x20ff, 0 },
	{ 0x2e80, 0x303e, 2 },		/* radicals, punctuation of CJK */
	{ 0x3041, 0xa4cf, 2 },		/* Kana, CJK, Yi */
	{ 0xa960, 0xa97f, 2 },
	{ 0xac00, 0xd7a3, 2 },
	{ 0xf900, 0xfaff, 2 },
	{ 0xfe00, 0xfe0f, 0 },		/* variants */
	{ 0xfe20, 0xfe2f, 0 },
	{ 0xfe30, 0xfe6f, 2 },
	{ 0xff01, 0xff60, 2 },		/* full width */
	{ 0xffe0, 0xffe6, 2 },
	{ 0x1f300, 0x1f64f, 2 },	/* pictures */
	{ 0x1f680, 0x1f6ff, 2 },
	{ 0x1f900, 0x1f9ff, 2 },
	{ 0x20000, 0x3fffd, 2 },
};

static u32 char_columns(u32 c)
{
	for (size_t i = 0; i < ARRAY_SIZE(ranges) && c >= ranges[i].first; i++)
		if (c <= ranges[i].last)
			return ranges[i].columns;
	return 1;
}

/* length of the character at s, which has `left` bytes; *c: its number. 1 for a byte that is not UTF-8 */
static size_t next_char(const unsigned char *s, size_t left, u32 *c)
{
	size_t len = *s < 0xc2 || *s >= 0xf8 ? 1 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;

	*c = len == 1 ? ' ' : *s & (0x7f >> len);
	for (size_t i = 1; i < len; i++) {
		if (i == left || (s[i] & 0xc0) != 0x80) {
			*c = ' ';
			return 1;
		}
		*c = *c << 6 | (s[i] & 0x3f);
	}
	return len;
}

size_t text_columns(const char *s, size_t len)
{
	size_t columns = 0, i = 0;
	u32 c;

	while (i < len && !(s[i] & 0x80))
		i++;
	for (columns = i; i < len; columns += char_columns(c))
		i += next_char((const unsigned char *)s + i, len - i, &c);
	return columns;
}
