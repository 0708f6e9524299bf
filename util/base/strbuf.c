/* Strbuf: a growing string. */
#include "strbuf.h"
#include "alloc.h"
#include "digits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

char *strbuf_room(struct strbuf *sb, size_t extra)
{
	size_t need = sb->len + extra + 1;

	if (need > sb->alloc) {
		sb->alloc = MAX(need, MAX(sb->alloc * 2, (size_t)64));
		sb->buf = xrealloc(sb->buf, sb->alloc);
	}
	return sb->buf + sb->len;
}

void strbuf_shrink(struct strbuf *sb, size_t alloc)
{
	alloc = MAX(alloc, sb->len + 1);
	if (alloc >= sb->alloc)
		return;
	sb->alloc = alloc;
	sb->buf = xrealloc(sb->buf, alloc);
}

void strbuf_add(struct strbuf *sb, const void *data, size_t len)
{
	char *p = strbuf_room(sb, len);

	if (len)
		memcpy(p, data, len);
	p[len] = '\0';
	sb->len += len;
}

void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap)
{
	char *p = strbuf_room(sb, 64);
	size_t room = sb->alloc - sb->len;
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(p, room, fmt, ap);
	if (n >= 0 && (size_t)n >= room) {
		p = strbuf_room(sb, n);
		n = vsnprintf(p, (size_t)n + 1, fmt, again);
	}
	va_end(again);
	if (n > 0)
		sb->len += n;
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(sb, fmt, ap);
	va_end(ap);
}

void strbuf_pad(struct strbuf *sb, char c, size_t count)
{
	char *p = strbuf_room(sb, count);

	memset(p, c, count);
	p[count] = '\0';
	sb->len += count;
}

static void add_digits(struct strbuf *sb, const char *digits, int nr, int width, char fill)
{
	if (width > nr)
		strbuf_pad(sb, fill, width - nr);
	strbuf_add(sb, digits, nr);
}

static void end_at(struct strbuf *sb, char *end)
{
	*end = '\0';
	sb->len = end - sb->buf;
}

void strbuf_add_u64(struct strbuf *sb, u64 v, int width)
{
	end_at(sb, put_dec(strbuf_room(sb, MAX(width, 20)), v, width));
}

/* decimals: at most 6 */
static bool add_real_fast(struct strbuf *sb, double v, u32 decimals)
{
	static const u32 powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };
	double scaled = v * powers[decimals];
	u64 n = scaled;
	char *p;

	/* close to the middle of two texts, all bits of v count, and not only those of the product */
	if (fabs(scaled - n - 0.5) < 1e-5)
		return false;
	n += scaled - n > 0.5;
	p = put_dec(strbuf_room(sb, 32), n / powers[decimals], 0);
	if (decimals)
		*p++ = '.';
	for (u32 i = decimals; i--;)
		*p++ = '0' + n / powers[i] % 10;
	end_at(sb, p);
	return true;
}

void strbuf_add_real(struct strbuf *sb, double v, u32 decimals)
{
	if (decimals > 6 || signbit(v) || !(v < 1000) || !add_real_fast(sb, v, decimals))
		strbuf_addf(sb, "%.*f", (int)decimals, v);
}

void strbuf_add_hex(struct strbuf *sb, u64 v, int width, char fill)
{
	char tmp[16], *p = tmp + sizeof(tmp);

	do {
		*--p = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v);
	add_digits(sb, p, tmp + sizeof(tmp) - p, width, fill);
}

/* U+0080 to U+009F in UTF-8: terminals obey them as they obey escape sequences */
static bool is_c1(const char *s)
{
	return (u8)s[0] == 0xc2 && (u8)s[1] >= 0x80 && (u8)s[1] <= 0x9f;
}

void strbuf_add_safe(struct strbuf *sb, const char *s)
{
	const char *done = s;

	while (*s) {
		int len;

		if (likely((u8)(*s - 0x20) < 0x7f - 0x20)) {
			s++;
			continue;
		}
		len = utf8_length(s);
		if (len > 1 && !is_c1(s)) {
			s += len;
			continue;
		}
		strbuf_add(sb, done, s - done);
		strbuf_addf(sb, "\\x%02x", (u8)*s++);
		if (len > 1)
			strbuf_addf(sb, "\\x%02x", (u8)*s++);
		done = s;
	}
	if (s > done)
		strbuf_add(sb, done, s - done);
}

void strbuf_setlen(struct strbuf *sb, size_t len)
{
	sb->len = len;
	if (sb->buf)
		sb->buf[len] = '\0';
}

char *strbuf_detach(struct strbuf *sb)
{
	char *s = sb->buf ? sb->buf : xstrdup("");

	*sb = (struct strbuf)STRBUF_INIT;
	return s;
}

void strbuf_release(struct strbuf *sb)
{
	free(sb->buf);
	*sb = (struct strbuf)STRBUF_INIT;
}

void text_sanitize(char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		u8 c = s[i];

		if (i + 1 < len && is_c1(s + i))
			s[i] = s[i + 1] = '?';
		else if (c < ' ' ? c != '\n' && c != '\t' : c == 0x7f)
			s[i] = '?';
	}
}

int utf8_length(const char *text)
{
	const u8 *s = (const u8 *)text;
	int len = s[0] < 0x80 ? 1 : s[0] >= 0xc2 &&
		  s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;

	for (int i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}
