/* Perfmap: one symbol per line; if an address was reused, the newest code counts. */
#include "perfmap.h"

#include <string.h>

#define TYPE_FUNC 2

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* a number, with or without 0x, and the blanks after it; NULL: it is none, or nothing follows */
static const char *hex(const char *p, const char *end, u64 *ret)
{
	const char *start;
	u64 v = 0;

	if (end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x')
		p += 2;
	for (start = p; p < end && v >> 60 == 0; p++) {
		unsigned char c = *p;

		if (c >= '0' && c <= '9')
			v = v << 4 | (c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			v = v << 4 | ((c | 0x20) - 'a' + 10);
		else
			break;
	}
	*ret = v;
	if (p == start || p >= end || !is_blank(*p))
		return NULL;
	while (p < end && is_blank(*p))
		p++;
	return p;
}

static bool add_line(const char *p, const char *end, struct symvec *v)
{
	u64 start, size;

	while (p < end && is_blank(*p))
		p++;
	while (p < end && (is_blank(end[-1]) || end[-1] == '\r'))
		end--;
	p = hex(p, end, &start);
	p = p ? hex(p, end, &size) : NULL;
	if (!p || p >= end || start + size < start)
		return false;
	symvec_add(v, start, start + size, p, end - p, 'g', TYPE_FUNC);
	return true;
}

size_t perfmap_parse(const char *text, size_t len, struct symvec *v)
{
	const char *end = text + len;
	size_t added = 0;

	v->last_alias = true;
	while (text < end) {
		const char *nl = memchr(text, '\n', end - text);

		added += add_line(text, nl ? nl : end, v);
		text = nl ? nl + 1 : end;
	}
	return added;
}
