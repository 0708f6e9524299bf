/*
 * Strbuf: a growing string, always NUL-terminated once anything was added. Owns its bytes.
 * STRBUF_INIT or a zeroed one is empty; strbuf_str() of an empty one is "".
 */
#ifndef PERF_BASE_STRBUF_H
#define PERF_BASE_STRBUF_H

#include <stdarg.h>
#include <string.h>
#include "types.h"

struct strbuf {
	char *buf;
	size_t len, alloc;
};
#define STRBUF_INIT { NULL, 0, 0 }

/* makes room for extra bytes and a NUL after len; returns the address to write to */
char *strbuf_room(struct strbuf *sb, size_t extra);
void strbuf_add(struct strbuf *sb, const void *data, size_t len);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) PRINTF_LIKE(2, 3);
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap);
/* count copies of c */
void strbuf_pad(struct strbuf *sb, char c, size_t count);
/* decimal, right-aligned in width with blanks (0: no padding); much faster than strbuf_addf() */
void strbuf_add_u64(struct strbuf *sb, u64 v, int width);
/* "%.*f", several times faster for numbers from 0 to 1000 with at most 6 decimals */
void strbuf_add_real(struct strbuf *sb, double v, u32 decimals);
/* lower-case hex without 0x, right-aligned in width with fill (' ' or '0') */
void strbuf_add_hex(struct strbuf *sb, u64 v, int width, char fill);
/*
 * s with control characters (and DEL, and C1 in UTF-8) and bytes that are no UTF-8 shown as \xNN: data cannot
 * drive a terminal, and readers can decode the text
 */
void strbuf_add_safe(struct strbuf *sb, const char *s);
/*
 * for messages that contain words from elsewhere: control characters (C1 in UTF-8, too) except newline and
 * tab become '?', in place
 */
void text_sanitize(char *s, size_t len);
/* bytes of the UTF-8 sequence at s (neither overlong nor a surrogate nor above U+10FFFF), or 0 */
int utf8_length(const char *s);
/* gives back what is more than that many bytes, and not used */
void strbuf_shrink(struct strbuf *sb, size_t alloc);
void strbuf_setlen(struct strbuf *sb, size_t len);
/* gives the string to the caller (never NULL); sb is empty afterwards */
char *strbuf_detach(struct strbuf *sb);
void strbuf_release(struct strbuf *sb);

static inline void strbuf_addch(struct strbuf *sb, char c)
{
	char *p = sb->alloc - sb->len > 1 ? sb->buf + sb->len : strbuf_room(sb, 1);

	p[0] = c;
	p[1] = '\0';
	sb->len++;
}

static inline void strbuf_addstr(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

static inline void strbuf_reset(struct strbuf *sb)
{
	strbuf_setlen(sb, 0);
}

static inline const char *strbuf_str(const struct strbuf *sb)
{
	return sb->len ? sb->buf : "";
}

#endif
