/* Image-match: names with versions, and demangled names in the forms that people write. */
#include "image-match.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "../base/alloc.h"
#include "../base/strbuf.h"
#include "../obj/demangle.h"
#include "function-words.h"
#include "image-symbol.h"

void name_pattern_of(struct name_pattern *np, const char *text, struct arena *mem)
{
	const char *at = strchr(text, '@');

	*np = (struct name_pattern){ .base = text };
	if (!at || at == text)
		return;
	np->base = arena_strndup(mem, text, at - text);
	np->is_default = at[1] == '@';
	np->version = at + 1 + np->is_default;
}

bool version_matches(const struct name_pattern *np, const struct image_symbol *s)
{
	if (!np->version)
		return true;
	if (!s->version)
		return false;
	return (!np->is_default || s->is_default) && (!*np->version || !strcmp(np->version, s->version));
}

size_t mangled_prefix(const char *name)
{
	if (!strncmp(name, "_Z", 2) || !strncmp(name, "_R", 2))
		return 2;
	return 0;
}

/* whether an operator's name begins at p, and not a name that only looks so */
static bool is_operator(const char *start, const char *p)
{
	return !strncmp(p, "operator", 8) && (p == start || strchr(": ", p[-1])) && !isalnum((u8)p[8]) &&
	       p[8] != '_';
}

/* length of "operator()", "operator<<", "operator->", and of "operator" before other signs and types */
static size_t operator_len(const char *p)
{
	return !strncmp(p + 8, "()", 2) ? 10 : 8 + strspn(p + 8, "<>-=!");
}

bool demangled_cut(char *name)
{
	int angle = 0, brace = 0;

	for (char *p = name; *p; p++) {
		if (!brace && is_operator(name, p)) {
			p += operator_len(p) - 1;
		} else if (*p == '{') {
			brace++;
		} else if (*p == '}' && brace) {
			brace--;
		} else if (*p == '<' && !brace) {
			angle++;
		} else if (*p == '>' && !brace && p > name && p[-1] != '-') {
			angle--;
		} else if (*p == '(' && angle <= 0 && !brace && strncmp(p, "(anonymous namespace)", 21)) {
			*p = '\0';
			return true;
		}
	}
	return false;
}

/* the word that must occur in the mangled name, so that most names need no demangling */
static char *key_of(const char *want)
{
	char *key = function_search_word(want);
	const char *p = key;

	while (isalnum((u8)*p) || *p == '_')
		p++;
	if (*p || !strncmp(key, "operator", 8))
		*key = '\0';
	return key;
}

/* the return type of a template function precedes its name */
static const char *skip_return_type(const char *name)
{
	const char *found = name;
	int nested = 0;

	for (const char *p = name; *p; p++) {
		if (strchr("<({", *p))
			nested++;
		else if (strchr(">)}", *p))
			nested--;
		else if (nested <= 0 && is_operator(name, p))
			break;
		else if (*p == ' ' && nested <= 0)
			found = p + 1;
	}
	return found;
}

const char *demangled_plain(char *name)
{
	demangled_cut(name);
	return skip_return_type(name);
}

const char *demangled_inner(const char *name)
{
	int nested = 0;

	for (const char *p = name; *p; p++) {
		if (nested <= 0 && p[0] == ':' && p[1] == ':')
			return p + 2;
		nested += *p == '<' || *p == '(';
		nested -= *p == '>' || *p == ')';
	}
	return NULL;
}

/*
 * Rust's "<shop::Cart>::add" and "<shop::Cart<T> as Trait>::add" are methods of "shop::Cart"; returns what
 * follows the type
 */
static const char *add_self_type(const char *s, struct strbuf *out)
{
	bool in_type = true;
	int depth = 0;

	for (; *s; s++) {
		if (*s == '>' && !--depth)
			return s + 1;
		if (depth == 1 && !strncmp(s, " as ", 4))
			in_type = false;
		if (depth == 1 && in_type && *s != '<' && *s != '>')
			strbuf_addch(out, *s);
		depth += *s == '<';
	}
	return s;
}

/* "ns::list<int>::add" becomes "ns::list::add"; of operators, the signs stay */
static void add_without_templates(const char *name, struct strbuf *out)
{
	const char *s = *name == '<' ? add_self_type(name, out) : name;
	int depth = 0;

	for (; *s; s++) {
		if (!depth && is_operator(name, s)) {
			size_t len = operator_len(s);

			strbuf_add(out, s, len);
			s += len - 1;
		} else if (*s == '<') {
			depth++;
		} else if (*s == '>' && depth) {
			depth--;
		} else if (!depth) {
			strbuf_addch(out, *s);
		}
	}
}

/* without the blanks that do not part two words: "Map<int,char*>" is "Map<int, char *>" */
static void squeeze(char *name)
{
	char *out = name;

	for (char *p = name; *p; p++) {
		bool parts = p > name && (isalnum((u8)p[-1]) || p[-1] == '_') &&
			     (isalnum((u8)p[1]) || p[1] == '_');

		if (*p != ' ' || parts)
			*out++ = *p;
	}
	*out = '\0';
}

static bool is_last_part(const char *name, const char *want)
{
	size_t n = strlen(name), w = strlen(want);

	return n > w + 2 && !strcmp(name + n - w, want) && !memcmp(name + n - w - 2, "::", 2);
}

/* compares the wanted name with a form of the demangled name that omits the parts the user did not write */
static enum name_match compare_form(const char *form, const char *want)
{
	char *text = xstrdup(form);
	enum name_match m;

	squeeze(text);
	m = !strcmp(text, want) ? NAME_QUALIFIED : is_last_part(text, want) ? NAME_PART : NAME_DIFFERS;
	free(text);
	return m;
}

/* with parameters: what follows them, such as "const" and "[clone .cold]", may be left out */
static enum name_match compare_with_parameters(const char *name, const char *want)
{
	enum name_match m = compare_form(name, want);
	const char *end = strstr(name, " [");
	char *text = xstrndup(name, end ? (size_t)(end - name) : strlen(name)), *close = strrchr(text, ')');

	if (!m && close) {
		close[1] = '\0';
		m = compare_form(text, want);
	}
	free(text);
	return m;
}

static enum name_match compare_without_parameters(const char *name, const char *want)
{
	enum name_match m = compare_form(name, want);
	struct strbuf bare = STRBUF_INIT;

	if (!m) {
		add_without_templates(name, &bare);
		m = compare_form(strbuf_str(&bare), want);
	}
	strbuf_release(&bare);
	return m;
}

static enum name_match compare_demangled(const char *want, const char *full)
{
	char *plain = xstrdup(full), *text = xstrdup(want), *cut = xstrdup(want);
	bool has_parameters = demangled_cut(cut);
	size_t result;
	enum name_match m;

	squeeze(text);
	demangled_cut(plain);
	result = skip_return_type(plain) - plain;
	if (!strcmp(full, want))
		m = NAME_FULL;
	else if (has_parameters)
		m = compare_with_parameters(full + result, text);
	else
		m = compare_without_parameters(plain + result, text);
	free(plain);
	free(text);
	free(cut);
	return m;
}

enum name_match demangled_match(const char *want, const char *mangled)
{
	struct strbuf out = STRBUF_INIT;
	enum name_match m = NAME_DIFFERS;
	char *key = key_of(want);

	if (strstr(mangled, key) && demangle(mangled, &out))
		m = compare_demangled(want, out.buf);
	strbuf_release(&out);
	free(key);
	return m;
}

bool demangled_glob(const char *glob, const char *mangled)
{
	struct strbuf out = STRBUF_INIT;
	bool match = false;

	if (demangle(mangled, &out)) {
		match = !fnmatch(glob, out.buf, 0);
		for (const char *name = demangled_plain(out.buf); name && !match;
		     name = strstr(glob, "::") ? demangled_inner(name) : NULL)
			match = !fnmatch(glob, name, 0);
	}
	strbuf_release(&out);
	return match;
}
