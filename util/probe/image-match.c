/* Image-match: names with versions, and demangled names in the forms that people write. */
#include "image-match.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>
#include "../base/strbuf.h"
#include "../obj/demangle.h"
#include "image.h"

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

bool demangled_cut(char *name)
{
	static const char call[] = "operator()";
	int angle = 0;

	for (char *p = name; *p; p++) {
		if (!strncmp(p, call, strlen(call)) && p[strlen(call)] == '(') {
			p[strlen(call)] = '\0';
			return true;
		}
		if (!strncmp(p, "operator", 8) && (p == name || p[-1] == ':' || p[-1] == ' ')) {
			/* operator<, operator->, operator<< */
			for (p += 8; *p && strchr("<>-=!", *p); p++)
				;
			p--;
		} else if (*p == '<') {
			angle++;
		} else if (*p == '>' && p > name && p[-1] != '-') {
			angle--;
		} else if (*p == '(' && angle <= 0 && strncmp(p, "(anonymous namespace)", 21)) {
			*p = '\0';
			return true;
		}
	}
	return false;
}

/* the word that must occur in the mangled name, so that most names need no demangling */
static const char *key_of(const char *want, size_t *len)
{
	const char *end = want + strcspn(want, "(<"), *from = end, *p;

	while (from > want && (isalnum((u8)from[-1]) || from[-1] == '_'))
		from--;
	*len = end - from;
	for (p = from; p < end; p++)
		if (!isalnum((u8)*p) && *p != '_')
			*len = 0;
	if (*len >= 8 && !strncmp(from, "operator", 8))
		*len = 0;
	return from;
}

/* a template function's return type stands before its name */
static const char *skip_return_type(const char *name)
{
	const char *found = name;
	int nested = 0;

	for (const char *p = name; *p; p++) {
		if (*p == '<' || *p == '(')
			nested++;
		else if (*p == '>' || *p == ')')
			nested--;
		else if (*p == ' ' && nested <= 0 && !strstr(name, "operator"))
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

static bool is_last_part(const char *name, const char *want)
{
	size_t n = strlen(name), w = strlen(want);

	return n > w + 2 && !strcmp(name + n - w, want) && !memcmp(name + n - w - 2, "::", 2);
}

enum name_match demangled_match(const char *want, const char *mangled)
{
	struct strbuf out = STRBUF_INIT;
	enum name_match m = NAME_DIFFERS;
	size_t len;
	const char *key = key_of(want, &len), *name;

	if (len && !memmem(mangled, strlen(mangled), key, len))
		return NAME_DIFFERS;
	if (demangle(mangled, &out)) {
		if (!strcmp(out.buf, want)) {
			m = NAME_FULL;
		} else if (strchr(want, '(') && strcmp(want + strlen(want) - 2, "()")) {
			if (is_last_part(out.buf, want))
				m = NAME_PART;
		} else {
			demangled_cut(out.buf);
			name = skip_return_type(out.buf);
			if (!strcmp(name, want))
				m = NAME_QUALIFIED;
			else if (is_last_part(name, want))
				m = NAME_PART;
		}
	}
	strbuf_release(&out);
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
