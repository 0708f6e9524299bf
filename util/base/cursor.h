/*
 * Cursor over untrusted bytes with a sticky error: read field after field, then test c.bad once. Reads past
 * the end give zero / NULL and set bad. With swap set, multi-byte values are in the other byte order.
 * Unaligned input is fine.
 */
#ifndef PERF_BASE_CURSOR_H
#define PERF_BASE_CURSOR_H

#include <byteswap.h>
#include <string.h>
#include "types.h"

struct cursor {
	const u8 *p, *end;
	bool swap, bad;
};

static inline struct cursor cursor_of(const void *p, size_t len, bool swap)
{
	return (struct cursor){ .p = p, .end = p ? (const u8 *)p + len : NULL, .swap = swap };
}

static inline size_t cursor_left(const struct cursor *c)
{
	return c->end - c->p;
}

/* len bytes in place, or NULL */
static inline const void *cursor_bytes(struct cursor *c, u64 len)
{
	const u8 *p = c->p;

	if (unlikely(len > cursor_left(c) || c->bad)) {
		c->bad = true;
		return NULL;
	}
	c->p += len;
	return p;
}

static inline void cursor_skip(struct cursor *c, u64 len)
{
	cursor_bytes(c, len);
}

#define CURSOR_READ(bits) \
static inline u##bits cursor_u##bits(struct cursor *c) \
{ \
	const void *p = cursor_bytes(c, sizeof(u##bits)); \
	u##bits v = 0; \
 \
	if (likely(p)) \
		memcpy(&v, p, sizeof(v)); \
	return c->swap ? bswap_##bits(v) : v; \
}
CURSOR_READ(16)
CURSOR_READ(32)
CURSOR_READ(64)
#undef CURSOR_READ

static inline u8 cursor_u8(struct cursor *c)
{
	const u8 *p = cursor_bytes(c, 1);

	return p ? *p : 0;
}

/* a number in LEB128, as DWARF has them; bits after the 64th are ignored */
static inline u64 cursor_uleb(struct cursor *c)
{
	u32 shift = 0;
	u64 v = 0;
	u8 byte;

	do {
		byte = cursor_u8(c);
		if (shift < 64)
			v |= (u64)(byte & 0x7f) << shift;
		shift = MIN(shift + 7, 64u);
	} while (byte & 0x80);
	return v;
}

/* a string field of exactly len bytes; the result is inside the field and NUL-terminated there, or NULL */
static inline const char *cursor_str(struct cursor *c, u64 len)
{
	const char *s = cursor_bytes(c, len);

	if (s && !memchr(s, '\0', len)) {
		c->bad = true;
		return NULL;
	}
	return s;
}

#endif
