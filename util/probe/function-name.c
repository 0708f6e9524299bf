/* Function-name: whether what a user typed names a function: C, C++ and Rust names in all their forms. */
#include <string.h>

#include "../base/strbuf.h"
#include "../obj/demangle.h"
#include "functions.h"

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

/* without template arguments and parameters: "ns::list<int>::add(int) const" becomes "ns::list::add" */
static void strip(const char *s, struct strbuf *out, bool keep_params)
{
	int depth = 0;

	if (*s == '<' && !keep_params)
		s = add_self_type(s, out);
	for (; *s; s++) {
		/* operators have < and ( in their names */
		if (!depth && !strncmp(s, "operator", 8) && s[8] && strchr("<>(", s[8])) {
			strbuf_addstr(out, s);
			return;
		}
		if (*s == '(' && !depth && !strncmp(s, "(anonymous namespace)", 21)) {
			strbuf_add(out, s, 21);
			s += 20;
			continue;
		}
		if (*s == '(' && !depth && !keep_params)
			return;
		if (*s == '<' && !keep_params)
			depth++;
		else if (*s == '>' && depth && !keep_params)
			depth--;
		else if (!depth)
			strbuf_addch(out, *s);
	}
}

/* full is query, or ends with "::" and query */
bool function_name_is_tail(const char *full, const char *query)
{
	size_t full_len = strlen(full), len = strlen(query);

	if (full_len < len || strcmp(full + full_len - len, query))
		return false;
	return full_len == len || (full_len - len >= 2 && !strncmp(full + full_len - len - 2, "::", 2));
}

/* "void ns::f<int>(int)": the result type of a template function stands before its name */
static const char *skip_result(const char *s)
{
	const char *start = s;
	int depth = 0;

	for (const char *p = s; *p; p++) {
		if (strchr("<([", *p))
			depth++;
		else if (strchr(">)]", *p))
			depth--;
		if (*p == '(' && depth == 1 && p > start && strncmp(p, "(anonymous namespace)", 21))
			break;
		if (*p == ' ' && !depth && strncmp(p + 1, "const", 5))
			start = p + 1;
	}
	return start;
}

static bool matches_demangled(const char *query, const char *linkage)
{
	struct strbuf full = STRBUF_INIT, plain = STRBUF_INIT;
	bool exact = strpbrk(query, "(<") != NULL, ok = false;

	if (demangle(linkage, &full)) {
		const char *s = skip_result(strbuf_str(&full));

		strip(s, &plain, false);
		ok = function_name_is_tail(strbuf_str(&plain), query);
		if (!ok && exact) {
			ok = function_name_is_tail(s, query);
			/* "f(int)" also means "f(int) const"; "f<int>" also "f<int>(int)" */
			if (!ok) {
				const char *end = strchr(query, '(') ? strrchr(s, ')') : strchr(s, '(');
				char *cut = end ? xstrndup(s, end - s + (*end == ')')) : NULL;

				ok = cut && function_name_is_tail(cut, query);
				free(cut);
			}
		}
	}
	strbuf_release(&full);
	strbuf_release(&plain);
	return ok;
}

bool function_name_matches(const char *query, const char *name, const char *linkage)
{
	size_t len = strcspn(name, "<");

	if (!strcmp(query, name) || (linkage && !strcmp(query, linkage)))
		return true;
	/* a template: all its instances */
	if (name[len] && strlen(query) == len && len && !strncmp(query, name, len) &&
	    strncmp(name, "operator", 8))
		return true;
	return linkage && (strstr(query, "::") || strpbrk(query, "(<")) && matches_demangled(query, linkage);
}

bool source_file_matches(const char *path, const char *file)
{
	size_t len = strlen(path), want = strlen(file);

	if (!path || len < want || strcmp(path + len - want, file))
		return false;
	return len == want || path[len - want - 1] == '/' || file[0] == '/';
}
