/* List-word: see list-word.h. */
#include "list-word.h"

#include <ctype.h>
#include <string.h>

/* the closing quote of a word that begins with one; NULL if it does not enclose the word */
static const char *closing_quote(const char *s)
{
	const char *end = *s == '"' || *s == '\'' ? strchr(s + 1, *s) : NULL;

	return end && (!end[1] || end[1] == ',') ? end : NULL;
}

/* the length of "operator<<", if a name of an operator is at s and begins there; else 0 */
static size_t operator_len(const char *start, const char *s)
{
	static const char word[] = "operator";

	if (strncmp(s, word, sizeof(word) - 1) ||
	    (s > start && (isalnum((unsigned char)s[-1]) || s[-1] == '_')))
		return 0;
	s += sizeof(word) - 1;
	if (!strncmp(s, "()", 2) || !strncmp(s, "[]", 2))
		return sizeof(word) - 1 + 2;
	if (*s == ',' && s[1] == '(')
		return sizeof(word);
	return sizeof(word) - 1 + strspn(s, "<>=-");
}

/* the bracket that closes the one at s; NULL: none does */
static const char *closing_bracket(const char *s)
{
	static const char open[] = "([{<", close[] = ")]}>";
	const char *kind = strchr(open, *s);
	char closes = kind ? close[kind - open] : '\0';
	u32 depth = 0;

	for (const char *p = s; kind && *p; p++) {
		size_t skip = operator_len(s, p);

		if (skip)
			p += skip - 1;
		else if (*p == *s)
			depth++;
		else if (*p == closes && !--depth)
			return p;
	}
	return NULL;
}

size_t list_word_len(const char *s)
{
	const char *end = closing_quote(s), *p = s;

	if (end)
		return end + 1 - s;
	while (*p && *p != ',') {
		size_t skip = operator_len(s, p);

		end = skip ? NULL : closing_bracket(p);
		p = skip ? p + skip : end ? end + 1 : p + 1;
	}
	return p - s;
}

const char *list_word_bare(const char *s, size_t *len)
{
	const char *end = closing_quote(s);

	if (!end || end + 1 != s + *len)
		return s;
	*len -= 2;
	return s + 1;
}
