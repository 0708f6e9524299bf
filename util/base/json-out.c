/* JSON strings and numbers. */
#include "json-out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* bytes of the UTF-8 sequence at s (neither overlong nor a surrogate nor above U+10FFFF), or 0 */
static int utf8_length(const u8 *s)
{
	int len = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;

	for (int i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
	    (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

void json_add_string(struct strbuf *out, const char *s)
{
	if (!s) {
		strbuf_addstr(out, "null");
		return;
	}
	strbuf_addch(out, '"');
	while (*s) {
		int len = utf8_length((const u8 *)s);

		if (!len) {
			strbuf_addstr(out, "\xef\xbf\xbd");
			len = 1;
		} else if (*s == '"' || *s == '\\') {
			strbuf_addch(out, '\\');
			strbuf_addch(out, *s);
		} else if (len == 1 && ((u8)*s < 0x20 || *s == 0x7f)) {
			strbuf_addf(out, "\\u%04x", (u8)*s);
		} else if (len == 2 && (u8)s[0] == 0xc2 && (u8)s[1] < 0xa0) {
			strbuf_addf(out, "\\u%04x", (u8)s[1]);	/* C1: a terminal would obey */
		} else {
			strbuf_add(out, s, len);
		}
		s += len;
	}
	strbuf_addch(out, '"');
}

void json_add_double(struct strbuf *out, double v)
{
	char text[40];

	if (!isfinite(v)) {
		strbuf_addstr(out, "null");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	/* a count is an integer to every reader when it looks like one */
	if (fabs(v) < 0x1p53 && v == trunc(v))
		snprintf(text, sizeof(text), "%.0f", v);
	for (char *p = text; *p; p++)
		if (*p == ',')
			*p = '.';
	strbuf_addstr(out, text);
}
