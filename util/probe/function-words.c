/* Function-words: splits names at "::". */
#include "function-words.h"

#include <ctype.h>
#include <string.h>
#include "../base/alloc.h"

/* the scope of a name is before the last "::" that is not in brackets; NULL: at the end of the name */
static const char *next_scope(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		if (strchr("<({[", *p))
			depth++;
		else if (strchr(">)}]", *p))
			depth--;
		else if (!depth && p[0] == ':' && p[1] == ':')
			return p;
	}
	return NULL;
}

static void add_word(struct function_words *w, struct arena *mem, const char *start, const char *end)
{
	const char *p = start;

	while (p < end && (isalnum((u8)*p) || *p == '_'))
		p++;
	/* a template: its arguments do not count; anything else is not an identifier */
	if (p - start < 2 || (p < end && *p != '<') || w->nr == FUNCTION_WORDS_MAX)
		return;
	w->v[w->nr++] = arena_strndup(mem, start, p - start);
}

void function_words_parse(const char *name, struct arena *mem, struct function_words *ret)
{
	const char *mark;

	*ret = (struct function_words){ 0 };
	/* "operator" may be followed by brackets that have no partner */
	if (strstr(name, "operator"))
		return;
	for (; (mark = next_scope(name)); name = mark + 2) {
		const char *params = memchr(name, '(', mark - name);

		if (params && strncmp(params, "(anonymous", 10))
			return;
		add_word(ret, mem, name, mark);
	}
}

/* written "Sa", "Sb", "Ss", "Si", "So", "Sd", "St" */
static bool is_abbreviated(const char *word)
{
	static const char *const words[] = { "std", "allocator", "basic_string", "string", "istream",
		"ostream", "iostream", "basic_istream", "basic_ostream", "basic_iostream" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

bool function_words_in(const struct function_words *w, const char *mangled)
{
	for (u32 i = 0; i < w->nr; i++)
		if (!is_abbreviated(w->v[i]) && !strstr(mangled, w->v[i]))
			return false;
	return true;
}

char *function_search_word(const char *name)
{
	const char *start = name, *p;
	int depth = 0;

	for (p = name; *p; p++) {
		if (!depth && p == start && !strncmp(p, "operator", 8)) {
			/* "operator()" has its parentheses, and "operator<" its bracket, in its name */
			p += 8;
			p += strncmp(p, "()", 2) ? strcspn(p, "(") : 2;
			break;
		}
		if (!strncmp(p, "(anonymous namespace)", 21))
			p += 20;
		else if (*p == '(' && !depth)
			break;
		else if (strchr("<({", *p))
			depth++;
		else if (strchr(">)}", *p))
			depth--;
		else if (!depth && p[0] == ':' && p[1] == ':')
			start = ++p + 1;
	}
	if (strncmp(start, "operator", 8))
		p = start + strcspn(start, "<(");
	return p > start ? xstrndup(start, p - start) : xstrdup(name);
}
