/* Short-name: see short-name.h. */
#include "short-name.h"

#include <ctype.h>
#include <string.h>

static const char anonymous[] = "(anonymous namespace)";

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* length of "operator" and its sign at s, which may be brackets, or 0; at: what is before s is known */
static size_t operator_at(const char *name, const char *s)
{
	static const char *const sign[] = { "()", "[]", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=",
					    "->", "<", ">", NULL };
	size_t len = strlen("operator");

	if (strncmp(s, "operator", len) || (s > name && is_word(s[-1])))
		return 0;
	for (size_t i = 0; sign[i]; i++)
		if (!strncmp(s + len, sign[i], strlen(sign[i])))
			return len + strlen(sign[i]);
	return is_word(s[len]) ? 0 : len;
}

/* the end of what the bracket at s opens, after the one that closes it; NULL: none does */
static const char *closing(const char *name, const char *s)
{
	char open[64];
	u32 depth = 0;

	while (*s) {
		size_t sign = operator_at(name, s);

		if (sign) {
			s += sign;
			continue;
		}
		if (strchr("<({[", *s)) {
			if (depth == sizeof(open))
				return NULL;
			open[depth++] = *s;
		} else if (strchr(">)}]", *s) && !(*s == '>' && s[-1] == '-')) {
			char want = *s == '>' ? '<' : *s == ')' ? '(' : *s == '}' ? '{' : '[';

			while (*s == ')' && depth && open[depth - 1] == '<')
				depth--;	/* "less than" */
			if (*s == '>' && open[depth - 1] == '(')
				want = 0;	/* "greater than" */
			else if (!depth || open[depth - 1] != want)
				return NULL;
			else if (!--depth)
				return s + 1;
		}
		s++;
	}
	return NULL;
}

/* the one before the bracket is a name, or "::" as Rust writes it: not the "<" of "<T as Trait>" */
static bool is_arguments(const char *name, const char *s)
{
	return s > name && (is_word(s[-1]) || s[-1] == ']' || s[-1] == '}' || s[-1] == '>' ||
			    (s - name >= 2 && s[-1] == ':' && s[-2] == ':' && s[1] != '{'));
}

bool short_name_fits(const char *name)
{
	const char *s = strpbrk(name, "<("), *end = s ? closing(name, s) : NULL;

	if (!end || strpbrk(name, "/\\"))
		return false;
	if (s == name)
		return !strncmp(end, "::", 2);
	if (!strncmp(s, anonymous, strlen(anonymous)))
		return true;
	return (is_word(s[-1]) || is_arguments(name, s)) && !(*end == ':' && end[1] != ':');
}

/* constructors of Java */
static bool is_java_name(const char *s)
{
	return !strncmp(s, "<init>", 6) || !strncmp(s, "<clinit>", 8);
}

struct shortening {
	const char *name;
	struct strbuf *out;
	size_t begin;		/* in out: of the function's name, after the type of its result */
	const char *operator_end;	/* in name: after the last one */
	bool parameters, kept;	/* kept: the words before the name are part of it */
};

/* "operator()<int>", "operator<< <char>" */
static bool is_behind_operator(const struct shortening *t, const char *s)
{
	return t->operator_end && (s == t->operator_end || (s == t->operator_end + 1 && s[-1] == ' '));
}

/* what a bracket at s opens; NULL: it is not closed. Otherwise after it */
static const char *add_bracket(struct shortening *t, const char *s)
{
	const char *end = closing(t->name, s);

	if (!end)
		return NULL;
	if (*s == '(' && !strncmp(s, anonymous, strlen(anonymous)))
		strbuf_add(t->out, s, end - s);
	else if (*s == '(')
		strbuf_addstr(t->out, end - s == 2 ? "()" : "(...)");
	else if (*s == '<' && is_java_name(s))
		strbuf_add(t->out, s, end - s);
	else if (*s == '<' && (is_arguments(t->name, s) || is_behind_operator(t, s)))
		strbuf_addstr(t->out, "<...>");
	else
		return s;
	t->parameters |= *s == '(' && strncmp(s, anonymous, strlen(anonymous));
	return end;
}

static bool is_after(const struct shortening *t, const char *s, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(s - t->name) >= len && !strncmp(s - len, word, len);
}

/* a blank ends the type of the result, or words such as "non-virtual thunk to", which stay */
static void end_word(struct shortening *t, const char *s)
{
	bool space = !strncmp(s + 1, anonymous, strlen(anonymous));

	if (t->parameters || t->kept || (s[1] && strchr("[(<", s[1]) && !space))
		return;
	t->kept = is_after(t, s, " to") || is_after(t, s, " for");
	t->begin = t->kept ? 0 : t->out->len;
}

static bool shorten(struct shortening *t)
{
	u32 depth = 0;

	for (const char *s = t->name; *s;) {
		size_t sign = operator_at(t->name, s);
		const char *end;

		if (sign) {
			t->kept |= sign == strlen("operator");	/* bool, new: blanks after it */
			strbuf_add(t->out, s, sign);
			s += sign;
			t->operator_end = s;
			continue;
		}
		end = strchr("<(", *s) ? add_bracket(t, s) : s;
		if (!end)
			return false;
		if (end > s) {
			s = end;
			continue;
		}
		depth += *s == '<' || *s == '{' || *s == '[';
		if (strchr(">}]", *s) && !(*s == '>' && s > t->name && s[-1] == '-') && depth-- == 0)
			return false;
		strbuf_addch(t->out, *s);
		if (*s == ' ' && !depth)
			end_word(t, s);
		s++;
	}
	return !depth;
}

void short_name(const char *name, struct strbuf *out)
{
	struct strbuf done = STRBUF_INIT;
	struct shortening t = { .name = name, .out = &done };

	if (!shorten(&t))
		strbuf_addstr(out, name);
	else
		strbuf_addstr(out, strbuf_str(&done) + (t.parameters ? t.begin : 0));
	strbuf_release(&done);
}

/* the length of what is folded at s, or 0 */
static size_t folded_at(const char *s)
{
	size_t empty = strlen("()"), full = strlen("(...)");

	if (!strncmp(s, "(...)", full) || !strncmp(s, "<...>", full))
		return full;
	return strncmp(s, "()", empty) ? 0 : empty;
}

/* true if s begins with called, ignoring folded arguments; words after the parameters remain */
static bool is_rest(const char *s, const char *called)
{
	while (*called) {
		size_t folded = *s == *called ? 0 : folded_at(s);

		if (!folded && *s != *called)
			return false;
		s += folded ? folded : 1;
		called += !folded;
	}
	for (size_t folded; (folded = folded_at(s));)
		s += folded;
	return !*s || *s == ' ' || *s == '[';
}

bool short_name_is(const char *shortened, const char *called)
{
	for (const char *s = shortened; s; s = strstr(s, "::")) {
		s += s == shortened ? 0 : strlen("::");
		if (*called && is_rest(s, called))
			return true;
	}
	return false;
}
