/* Demangle-text: see header. */
#include "demangle-text.h"

#include <ctype.h>
#include <string.h>

static const char *primitive(char c)
{
	static const struct { char c; const char *name; } types[] = {
		{ 'B', "byte" }, { 'C', "char" }, { 'D', "double" }, { 'F', "float" }, { 'I', "int" },
		{ 'J', "long" }, { 'S', "short" }, { 'Z', "boolean" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].c == c)
			return types[i].name;
	return NULL;
}

/* "foo/Bar;", whose L was already read; returns what follows it, or NULL if it does not end before limit */
static const char *add_class(const char *s, const char *limit, struct strbuf *out)
{
	const char *end = memchr(s, ';', limit - s);

	if (!end || end == s)
		return NULL;
	for (; s < end; s++)
		strbuf_addch(out, *s == '/' ? '.' : *s);
	return end + 1;
}

static const char *add_type(const char *s, const char *limit, struct strbuf *out)
{
	unsigned int dimensions = 0;

	for (; s < limit && *s == '['; s++)
		dimensions++;
	if (s < limit && *s == 'L') {
		s = add_class(s + 1, limit, out);
	} else if (s < limit && primitive(*s)) {
		strbuf_addstr(out, primitive(*s));
		s++;
	} else {
		s = NULL;
	}
	while (s && dimensions--)
		strbuf_addstr(out, "[]");
	return s;
}

static bool add_method(const char *name, const char *open, const char *close, struct strbuf *out)
{
	const char *s = add_class(name + 1, open, out);

	if (!s || s == open)
		return false;
	if (*s != '.' && *s != ':')
		strbuf_addch(out, '.');
	strbuf_add(out, s, open + 1 - s);
	for (s = open + 1; s && s < close;) {
		s = add_type(s, close, out);
		if (s && s < close)
			strbuf_addstr(out, ", ");
	}
	strbuf_addch(out, ')');
	return s != NULL;
}

bool demangle_java(const char *name, struct strbuf *out)
{
	const char *open = *name == 'L' ? strchr(name, '(') : NULL, *close = open ? strchr(open, ')') : NULL;
	size_t start = out->len;

	if (!close || !close[1])	/* the return type follows, even if it is V */
		return false;
	if (add_method(name, open, close, out))
		return true;
	strbuf_setlen(out, start);
	return false;
}

static int hex_digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* the character for "$2b"; 0: it cannot be shown */
static char escaped(const char *s)
{
	int high = *s == '$' ? hex_digit(s[1]) : -1, low = high < 0 ? -1 : hex_digit(s[2]);
	int c = low < 0 ? 0 : high << 4 | low;

	return c >= ' ' && c < 0x7f ? c : 0;
}

bool demangle_ocaml(const char *name, struct strbuf *out)
{
	if (strncmp(name, "caml", 4) || !isupper((unsigned char)name[4]))
		return false;
	for (const char *s = name + 4; *s; s++) {
		if (s[0] == '_' && s[1] == '_') {
			strbuf_addch(out, '.');
			s++;
		} else if (escaped(s)) {
			strbuf_addch(out, escaped(s));
			s += 2;
		} else {
			strbuf_addch(out, *s);
		}
	}
	return true;
}
