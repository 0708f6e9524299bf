/* Perfmap: one symbol per line; if an address was reused, the newest code counts. */
#include "perfmap.h"

#include <string.h>

#define TYPE_FUNC 2

static const char *hex(const char *p, const char *end, u64 *ret)
{
	const char *start;
	u64 v = 0;

	if (end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x')
		p += 2;
	for (start = p; p < end && p - start < 16; p++) {
		unsigned char c = *p;

		if (c >= '0' && c <= '9')
			v = v << 4 | (c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			v = v << 4 | ((c | 0x20) - 'a' + 10);
		else
			break;
	}
	*ret = v;
	return p == start ? NULL : p;
}

static bool add_line(const char *p, const char *end, struct symvec *v)
{
	u64 start, size;

	p = hex(p, end, &start);
	if (!p || p >= end || *p != ' ')
		return false;
	p = hex(p + 1, end, &size);
	if (!p || p >= end || *p != ' ' || p + 1 >= end || !size || start + size < start)
		return false;
	p++;
	if (end[-1] == '\r')
		end--;
	if (p >= end)
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
