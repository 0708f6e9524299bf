/* Spec-parse: splits a definition into words, and parses names and place from the first one. */
#include "spec-parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../base/caret.h"
#include "../base/strbuf.h"
#include "spec-arg.h"
#include "spec-word.h"

#define TEXT_MAX 65536
#define NAME_MAX_LEN 63		/* MAX_EVENT_NAME_LEN - 1 of the kernel's trace_probe.h */

/* the characters of a word after quotes and backslashes were removed */
struct chars {
	char *c;
	bool *literal;		/* was quoted or escaped, so it has no special meaning */
	u32 *off;		/* in spec->text */
	size_t nr;
};

struct place_parser {
	struct probe_spec *spec;
	struct chars ch;
	size_t pos;
	struct err *err;
};

/* whether the < at s opens a list that is closed before the text ends: template arguments */
static bool angle_closes(const char *s)
{
	int depth = 0;

	for (; *s; s++) {
		if (*s == '<')
			depth++;
		else if (*s == '>' && s[-1] != '-' && !--depth)
			return true;
	}
	return false;
}

static bool ends_in_operator(const struct chars *ch)
{
	static const char word[] = "operator";
	size_t n = ch->nr;

	while (n && strchr("+-*/%^&|~!=<>,", ch->c[n - 1]))
		n--;
	return n >= strlen(word) && !memcmp(ch->c + n - strlen(word), word, strlen(word));
}

/* "f<*>" means all instances; after a type, as in "f<char*>", the * belongs to the type */
static bool is_any_argument(const char *text, size_t at)
{
	size_t before = at, after = at + 1;

	while (before && text[before - 1] == ' ')
		before--;
	while (text[after] == ' ')
		after++;
	return text[at] == '*' && before && strchr("<,", text[before - 1]) && strchr(">,", text[after]) &&
	       text[after];
}

static void chars_add(struct chars *ch, char c, bool literal, size_t off)
{
	ch->c[ch->nr] = c;
	ch->literal[ch->nr] = literal;
	ch->off[ch->nr++] = off;
}

static int err_place(struct place_parser *p, size_t from, size_t len, const char *what)
{
	const struct probe_spec *spec = p->spec;
	size_t off = from < p->ch.nr ? p->ch.off[from] : strlen(spec->text);

	err_set(p->err, -EINVAL, "%s", what);
	err_caret(p->err, spec->text, off, len);
	return -EINVAL;
}

static int err_at(const struct probe_spec *spec, size_t off, struct err *err, const char *what)
{
	err_set(err, -EINVAL, "%s", what);
	err_caret(err, spec->text, off, 1);
	return -EINVAL;
}

/* length of " const" after the parameters of a C++ member function */
static size_t qualifier_len(const char *s)
{
	static const char *const words[] = { " const", " volatile", " &&", " &" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t len = strlen(words[i]);

		if (!strncmp(s, words[i], len) && !isalnum((u8)s[len]) && s[len] != '_' && s[len] != '-')
			return len;
	}
	return 0;
}

/* reads the first word from *off on, and sets *off to the character after it */
static int read_first(struct probe_spec *spec, struct chars *ch, size_t *off, struct err *err)
{
	const char *s = spec->text;
	size_t i = *off, open_at = 0, nested = 0;
	bool in_pattern = false;	/* of lines: there, wildcards in parentheses are some */
	char quote = 0;

	for (; s[i]; i++) {
		if (s[i] == '\\' && quote != '\'' && s[i + 1]) {
			chars_add(ch, s[i + 1], true, i);
			i++;
		} else if (quote ? s[i] == quote : s[i] == '\'' || s[i] == '"') {
			quote = quote ? 0 : s[i];
			open_at = i;
		} else if (quote) {
			chars_add(ch, s[i], true, i);
		} else if (!nested && isspace((u8)s[i])) {
			size_t len = i && s[i - 1] == ')' ? qualifier_len(s + i) : 0;

			if (!len)
				break;
			for (; len; len--, i++)
				chars_add(ch, s[i], true, i);
			i--;
		} else {
			bool special = !nested || in_pattern;

			in_pattern |= !nested && s[i] == ';';
			if (s[i] == '(' || (s[i] == '<' && (nested || !ends_in_operator(ch)) &&
					    angle_closes(s + i))) {
				if (!nested++)
					open_at = i;
				special = false;
			} else if (nested && (s[i] == ')' || (s[i] == '>' && s[i - 1] != '-'))) {
				nested--;
			}
			special |= nested && is_any_argument(s, i);
			chars_add(ch, s[i], !special, i);
		}
	}
	if (quote)
		return err_at(spec, open_at, err, "this quote is not closed");
	if (nested)
		return err_at(spec, open_at, err, "this parenthesis is not closed");
	*off = i;
	return 0;
}

static bool special(const struct chars *ch, size_t i, char c)
{
	return i < ch->nr && !ch->literal[i] && ch->c[i] == c;
}

/* copies [from, to) of the characters */
static char *copy(struct place_parser *p, size_t from, size_t to)
{
	return arena_strndup(&p->spec->mem, p->ch.c + from, to - from);
}

/* the same as a pattern of fnmatch(3): wildcards that were quoted are escaped */
static char *copy_pattern(struct place_parser *p, size_t from, size_t to)
{
	char *out = arena_alloc(&p->spec->mem, 2 * (to - from) + 1), *o = out;

	for (size_t i = from; i < to; i++) {
		if (strchr("*?[\\", p->ch.c[i]) && p->ch.literal[i])
			*o++ = '\\';
		*o++ = p->ch.c[i];
	}
	*o = '\0';
	return out;
}

static bool has_wildcard(const struct chars *ch, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (!ch->literal[i] && strchr("*?[", ch->c[i]))
			return true;
	return false;
}

static int check_name(struct place_parser *p, size_t from, size_t to, const char *what)
{
	struct chars *ch = &p->ch;

	if (from < to && to - from <= NAME_MAX_LEN && probe_ident(ch->c + from, to - from) == to - from)
		return 0;
	err_place(p, from, MAX(to - from, (size_t)1), "");
	err_prefix(p->err, to - from > NAME_MAX_LEN ? "the name of %s is longer than 63 characters" :
		   "the name of %s needs letters, digits and _, and does not begin with a digit", what);
	return -EINVAL;
}

/* GROUP:EVENT= or EVENT= before the place; an = in "operator==" is a part of a name */
static int parse_names(struct place_parser *p)
{
	struct chars *ch = &p->ch;
	size_t eq = 0, colon;

	for (; eq < ch->nr && !special(ch, eq, ';'); eq++) {
		struct chars before = { .c = ch->c, .nr = eq };

		if (special(ch, eq, '=') && !ends_in_operator(&before))
			break;
	}
	if (eq == ch->nr || !special(ch, eq, '=') || special(ch, 0, '%'))
		return 0;
	for (colon = 0; colon < eq && !special(ch, colon, ':'); colon++)
		;
	if (colon < eq && check_name(p, 0, colon, "a group"))
		return -EINVAL;
	if (check_name(p, colon < eq ? colon + 1 : 0, eq, "an event"))
		return -EINVAL;
	if (colon < eq)
		p->spec->group = copy(p, 0, colon);
	p->spec->event = copy(p, colon < eq ? colon + 1 : 0, eq);
	p->pos = eq + 1;
	return 0;
}

/* the suffix of a source file's name; compiler suffixes such as "foo.isra.0" do not count */
static bool is_file(const char *name)
{
	static const char *const compiler[] = { "cold", "part", "isra", "constprop", "llvm", "lto_priv",
					       NULL };
	const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');

	if (slash)
		return true;
	if (!dot || !isalpha((u8)dot[1]) || strchr(dot, '('))
		return false;
	for (int i = 0; compiler[i]; i++)
		if (!strcmp(dot + 1, compiler[i]))
			return false;
	return true;
}

/* %sdt_provider:name, %group:name, %name; also sdt_provider:name */
static int parse_marker(struct place_parser *p)
{
	struct probe_place *pl = &p->spec->place;
	size_t from = p->pos + special(&p->ch, p->pos, '%'), colon = from;

	while (colon < p->ch.nr && !special(&p->ch, colon, ':'))
		colon++;
	pl->kind = PROBE_CACHED;
	if (colon < p->ch.nr) {
		pl->group = copy(p, from, colon);
		if (!strncmp(pl->group, "sdt_", 4))
			pl->kind = PROBE_SDT;
		from = colon + 1;
	}
	if (from >= p->ch.nr)
		return err_place(p, p->pos, 1, "the name of the marker is missing");
	pl->is_glob = has_wildcard(&p->ch, from, p->ch.nr);
	pl->function = pl->is_glob ? copy_pattern(p, from, p->ch.nr) : copy(p, from, p->ch.nr);
	return 0;
}

/* the characters that end a name, a file or a number within a place */
static size_t part_end(const struct chars *ch, size_t i)
{
	while (i < ch->nr && (ch->literal[i] || !strchr("+:@%;", ch->c[i])))
		i++;
	return i;
}

/* the end of the function or file at the start; "::" and operators belong to it */
static size_t name_end(const struct chars *ch, size_t from)
{
	size_t i = from;

	while (i < ch->nr) {
		struct chars before = { .c = ch->c + from, .nr = i - from };

		if (special(ch, i, ':') && special(ch, i + 1, ':'))
			i += 2;
		else if (ch->literal[i] || !strchr("+:@%;", ch->c[i]) || ends_in_operator(&before))
			i++;
		else
			break;
	}
	return i;
}

/* after an @: "GLIBC_2.2.5", "@GLIBC_2.34" and "@" are versions of a symbol; others are files */
static bool is_version(struct place_parser *p, size_t from, size_t to)
{
	char *text;

	if (from == to || p->ch.c[from] == '@')
		return true;
	text = copy(p, from, to);
	return !is_file(text);
}

static int parse_line(struct place_parser *p, size_t from, size_t to)
{
	struct probe_place *pl = &p->spec->place;
	u64 v;

	if (from == to || probe_number(p->ch.c + from, to - from, &v) != to - from || v > INT32_MAX) {
		err_place(p, from, MAX(to - from, (size_t)1), "a line number is expected after the ':'");
		err_hint(p->err, "write '\\:' for a ':' that belongs to a name");
		return -EINVAL;
	}
	pl->line = v;
	pl->has_line = true;
	return 0;
}

static int parse_offset(struct place_parser *p, size_t from, size_t to)
{
	if (from == to || probe_number(p->ch.c + from, to - from, &p->spec->place.offset) != to - from) {
		err_place(p, from, MAX(to - from, (size_t)1), "an offset in bytes is expected after the '+'");
		err_hint(p->err, "write '\\+' for a '+' that belongs to a name");
		return -EINVAL;
	}
	return 0;
}

/* one of :LINE +OFF @FILE %return at pos; *name_to moves over a version, which belongs to the name */
static int parse_part(struct place_parser *p, size_t *name_to)
{
	struct probe_place *pl = &p->spec->place;
	char what = p->ch.c[p->pos];
	size_t from = p->pos + 1, to = part_end(&p->ch, from);

	if (what == '@' && special(&p->ch, from, '@'))
		to = part_end(&p->ch, from + 1);
	p->pos = to;
	switch (what) {
	case ':':
		return parse_line(p, from, to);
	case '+':
		return parse_offset(p, from, to);
	case '@':
		if (is_version(p, from, to) && *name_to == from - 1) {
			*name_to = to;
			return 0;
		}
		if (from == to || pl->file)
			return err_place(p, from - 1, 1, "a source file is expected after the '@'");
		pl->file = copy(p, from, to);
		return 0;
	default:
		if (to - from != strlen("return") || memcmp(p->ch.c + from, "return", to - from))
			return err_place(p, from - 1, to - from + 1, "only %return may follow a '%'");
		pl->is_return = true;
		return 0;
	}
}

/* refuses definitions that contradict themselves */
static int check_place(struct place_parser *p, size_t name)
{
	struct probe_place *pl = &p->spec->place;
	size_t len = p->ch.nr - name;

	if (pl->kind == PROBE_FUNCTION && pl->is_return && (pl->offset || pl->has_line || pl->pattern))
		return err_place(p, name, len, "%return cannot have an offset, a line or a pattern");
	if (!!pl->offset + pl->has_line + !!pl->pattern > 1)
		return err_place(p, name, len, "a place has one of +OFFSET, :LINE and ;PATTERN");
	if (pl->kind != PROBE_FILE_LINE)
		return 0;
	if (pl->is_return || pl->offset)
		return err_place(p, name, len, "a line of a file cannot have %return or an offset");
	if (!pl->pattern && (!pl->has_line || !pl->line))
		return err_place(p, name, len, "a source file needs a line from 1, or a pattern: FILE:LINE");
	return 0;
}

static int parse_function(struct place_parser *p)
{
	struct probe_place *pl = &p->spec->place;
	size_t from = p->pos, to = name_end(&p->ch, from);
	bool name_is_file;
	char *name;

	if (to == from)
		return err_place(p, from, 1, "the name of a function or file is expected here");
	p->pos = to;
	while (p->pos < p->ch.nr && !special(&p->ch, p->pos, ';'))
		if (parse_part(p, &to))
			return -EINVAL;
	if (special(&p->ch, p->pos, ';')) {
		if (p->pos + 1 == p->ch.nr)
			return err_place(p, p->pos, 1, "a pattern of source lines is expected after the ';'");
		pl->pattern = copy_pattern(p, p->pos + 1, p->ch.nr);
	}
	name = copy(p, from, to);
	name_is_file = !pl->file && is_file(name) && (pl->has_line || pl->pattern || strchr(name, '/') ||
						      to == p->ch.nr);
	if (name_is_file && to == p->ch.nr && !strchr(name, '/'))
		name_is_file = !strcmp(strrchr(name, '.'), ".c");
	if (name_is_file) {
		pl->kind = PROBE_FILE_LINE;
		pl->file = name;
	} else {
		pl->kind = PROBE_FUNCTION;
		pl->is_glob = has_wildcard(&p->ch, from, to);
		pl->function = pl->is_glob ? copy_pattern(p, from, to) : name;
	}
	return check_place(p, from);
}

static int parse_address(struct place_parser *p)
{
	struct probe_place *pl = &p->spec->place;
	size_t from = p->pos, to = part_end(&p->ch, from);

	pl->kind = PROBE_ADDRESS;
	if (to - from < 3 || memcmp(p->ch.c + from, "0x", 2) ||
	    probe_number(p->ch.c + from, to - from, &pl->address) != to - from)
		return err_place(p, from, to - from, "an address begins with 0x, and has hex digits");
	if (to == p->ch.nr)
		return 0;
	p->pos = to;
	if (!special(&p->ch, to, '%'))
		return err_place(p, to, p->ch.nr - to, "only %return may follow an address");
	return parse_part(p, &from);
}

static int parse_place(struct place_parser *p)
{
	const struct chars *ch = &p->ch;
	const char *s = ch->c + p->pos;
	size_t left = ch->nr - p->pos;

	if (!left)
		return err_place(p, p->pos, 1,
				 "the place of the probe is missing: a function, FILE:LINE or 0xADDRESS");
	p->spec->place_text = copy(p, p->pos, ch->nr);
	if (special(ch, p->pos, '%') || (left > 4 && !memcmp(s, "sdt_", 4) && !ch->literal[p->pos] &&
					 memchr(s, ':', left) && !memmem(s, left, "::", 2)))
		return parse_marker(p);
	if (*s >= '0' && *s <= '9')
		return parse_address(p);
	return parse_function(p);
}

/* the end of the argument that begins at off: blanks in quotes and parentheses do not end it */
static int arg_end(const struct probe_spec *spec, size_t off, size_t *ret, struct err *err)
{
	const char *s = spec->text;
	size_t i = off, open_at = off;
	int nested = 0;
	char quote = 0;

	for (; s[i] && (quote || nested > 0 || !isspace((u8)s[i])); i++) {
		if (quote ? s[i] == quote : s[i] == '\'' || s[i] == '"') {
			quote = quote ? 0 : s[i];
			open_at = i;
		} else if (!quote && s[i] == '(') {
			if (!nested++)
				open_at = i;
		} else if (!quote && s[i] == ')') {
			nested--;
		}
	}
	if (quote)
		return err_at(spec, open_at, err, "this quote is not closed");
	if (nested > 0)
		return err_at(spec, open_at, err, "this parenthesis is not closed");
	*ret = i;
	return 0;
}

static int parse_args(struct probe_spec *spec, size_t off, struct err *err)
{
	const char *s = spec->text;
	size_t end = 0;
	int ret;

	while (1) {
		while (isspace((u8)s[off]))
			off++;
		if (!s[off])
			return 0;
		ret = arg_end(spec, off, &end, err);
		if (ret)
			return ret;
		/* a whole argument in quotes */
		if ((s[off] == '\'' || s[off] == '"') && end - off >= 2 &&
		    memchr(s + off + 1, s[off], end - off - 1) == s + end - 1)
			ret = probe_arg_parse(spec, vec_add(&spec->arg), off + 1, end - off - 2, err);
		else
			ret = probe_arg_parse(spec, vec_add(&spec->arg), off, end - off, err);
		if (ret)
			return ret;
		off = end;
	}
}

int probe_spec_parse(struct probe_spec *spec, const char *text, struct err *err)
{
	struct place_parser p = { .spec = spec, .err = err };
	size_t len = strlen(text), off = 0;
	int ret;

	memset(spec, 0, sizeof(*spec));
	if (len > TEXT_MAX)
		return err_set(err, -EINVAL, "the definition is longer than %d characters", TEXT_MAX);
	spec->text = arena_strdup(&spec->mem, text);
	while (isspace((u8)text[off]))
		off++;
	p.ch = (struct chars){
		.c = arena_alloc(&spec->mem, len + 1),
		.literal = arena_alloc(&spec->mem, (len + 1) * sizeof(bool)),
		.off = arena_alloc(&spec->mem, (len + 1) * sizeof(u32)),
	};
	ret = read_first(spec, &p.ch, &off, err);
	if (!ret)
		ret = parse_names(&p);
	if (!ret)
		ret = parse_place(&p);
	return ret ? ret : parse_args(spec, off, err);
}
