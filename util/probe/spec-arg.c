/* Spec-arg: parses the arguments of a definition: [NAME=]EXPRESSION[:TYPE][@user]. */
#include "spec-arg.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../base/caret.h"
#include "spec-word.h"

#define DEPTH_MAX 16
#define STEPS_MAX 64
#define ARRAY_MAX 64		/* MAX_ARRAY_LEN of the kernel's trace_probe.h */

struct arg_parser {
	struct probe_spec *spec;
	size_t pos, end;	/* in spec->text */
	int depth;
	struct err *err;
};

static int err_arg(struct arg_parser *p, size_t from, size_t len, const char *what)
{
	err_set(p->err, -EINVAL, "%s", what);
	err_caret(p->err, p->spec->text, from, len ? len : 1);
	return -EINVAL;
}

static const char *here(const struct arg_parser *p)
{
	return p->spec->text + p->pos;
}

static size_t left(const struct arg_parser *p)
{
	return p->end - p->pos;
}

static bool at(const struct arg_parser *p, const char *word)
{
	return left(p) >= strlen(word) && !memcmp(here(p), word, strlen(word));
}

static bool take(struct arg_parser *p, const char *word)
{
	if (!at(p, word))
		return false;
	p->pos += strlen(word);
	return true;
}

static void skip_blanks(struct arg_parser *p)
{
	while (left(p) && isspace((u8)*here(p)))
		p->pos++;
}

static int parse_number(struct arg_parser *p, bool may_be_negative, s64 *ret)
{
	bool negative = may_be_negative && take(p, "-");
	u64 v;
	size_t n = probe_number(here(p), left(p), &v);

	if (!n)
		return err_arg(p, p->pos, 1, "a number is expected here: decimal, or hex with 0x");
	p->pos += n;
	*ret = negative ? -v : v;
	return 0;
}

/* letters, digits, _ and "::" of C++ */
static size_t variable_len(const struct arg_parser *p)
{
	const char *s = here(p);
	size_t n = probe_ident(s, left(p)), more;

	while (n && left(p) - n > 2 && !memcmp(s + n, "::", 2)) {
		more = probe_ident(s + n + 2, left(p) - n - 2);
		if (!more)
			break;
		n += 2 + more;
	}
	return n;
}

static int add_step(struct arg_parser *p, struct probe_arg *a, struct probe_step step)
{
	if (a->step.nr == STEPS_MAX)
		return err_arg(p, p->pos, 1, "the expression has too many members");
	vec_push(&a->step, step);
	return 0;
}

/* .member ->member [index] */
static int parse_postfix(struct arg_parser *p, struct probe_arg *a)
{
	while (left(p)) {
		struct probe_step step = { .kind = PROBE_STEP_MEMBER };

		if (take(p, "[")) {
			step.kind = PROBE_STEP_INDEX;
			if (parse_number(p, true, &step.index))
				return -EINVAL;
			if (!take(p, "]"))
				return err_arg(p, p->pos, 1, "']' is expected here");
		} else if (at(p, ".") || at(p, "->")) {
			size_t n;

			if (!take(p, ".")) {
				take(p, "->");
				step.kind = PROBE_STEP_ARROW;
			}
			n = probe_ident(here(p), left(p));
			if (!n)
				return err_arg(p, p->pos, 1, "the name of a member is expected here");
			step.name = arena_strndup(&p->spec->mem, here(p), n);
			p->pos += n;
		} else {
			return 0;
		}
		if (a->step.nr && a->step.v[a->step.nr - 1].kind == PROBE_STEP_ADDRESS)
			return err_arg(p, p->pos, 1, "an address has no members");
		if (add_step(p, a, step))
			return -EINVAL;
	}
	return 0;
}

/* * and & before a variable, parentheses around it */
static int parse_variable(struct arg_parser *p, struct probe_arg *a)
{
	size_t start, n;

	if (p->depth++ == DEPTH_MAX)
		return err_arg(p, p->pos, 1, "the expression is nested too deeply");
	skip_blanks(p);
	start = p->pos;
	if (at(p, "*") || at(p, "&")) {
		enum probe_step_kind kind = *here(p) == '*' ? PROBE_STEP_DEREF : PROBE_STEP_ADDRESS;

		p->pos++;
		if (parse_variable(p, a))
			return -EINVAL;
		if (a->step.nr && a->step.v[a->step.nr - 1].kind == PROBE_STEP_ADDRESS)
			return err_arg(p, start, 1, "only the whole expression may begin with '&'");
		p->depth--;
		return add_step(p, a, (struct probe_step){ .kind = kind });
	}
	if (take(p, "(")) {
		if (parse_variable(p, a))
			return -EINVAL;
		skip_blanks(p);
		if (!take(p, ")"))
			return err_arg(p, p->pos, 1, "')' is expected here");
	} else {
		n = variable_len(p);
		if (!n)
			return err_arg(p, p->pos, 1,
				       "a variable, %REGISTER, $VALUE, @ADDRESS or \\NUMBER "
				       "is expected here");
		a->kind = PROBE_ARG_VARIABLE;
		a->variable = arena_strndup(&p->spec->mem, here(p), n);
		p->pos += n;
	}
	p->depth--;
	return parse_postfix(p, a);
}

static int parse_dollar(struct arg_parser *p, struct probe_arg *a)
{
	static const struct {
		const char *name;
		enum probe_arg_kind kind;
	} words[] = {
		{ "vars", PROBE_ARG_VARS }, { "params", PROBE_ARG_PARAMS }, { "retval", PROBE_ARG_RETVAL },
		{ "stack", PROBE_ARG_STACK }, { "comm", PROBE_ARG_COMM }, { "COMM", PROBE_ARG_COMM },
	};
	size_t start = p->pos, n;
	const char *s;
	u64 v;

	p->pos++;
	s = here(p);
	n = probe_ident(s, left(p));
	p->pos += n;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (n == strlen(words[i].name) && !memcmp(s, words[i].name, n)) {
			a->kind = words[i].kind;
			return a->kind == PROBE_ARG_RETVAL ? parse_postfix(p, a) : 0;
		}
	if (n > 5 && !memcmp(s, "stack", 5) && probe_number(s + 5, n - 5, &v) == n - 5 && v < 65536) {
		a->kind = PROBE_ARG_STACKN;
		a->number = v;
		return 0;
	}
	if (n > 3 && !memcmp(s, "arg", 3) && probe_number(s + 3, n - 3, &v) == n - 3 && v && v <= 64) {
		a->kind = PROBE_ARG_ARGN;
		a->number = v;
		return 0;
	}
	err_arg(p, start, n + 1, "this value is not known");
	err_hint(p->err, "values are $retval, $arg1 (and so on), $stack, $stack0 (and so on), $comm, $params "
		 "and $vars");
	return -EINVAL;
}

/* @ADDR, @+OFFSET, @SYMBOL, @SYMBOL+OFF, @SYMBOL-OFF */
static int parse_memory(struct arg_parser *p, struct probe_arg *a)
{
	size_t n;

	p->pos++;
	a->kind = PROBE_ARG_ADDRESS;
	a->is_plus = take(p, "+");
	n = a->is_plus ? 0 : probe_ident(here(p), left(p));
	if (!n)
		return parse_number(p, false, &a->number);
	a->variable = arena_strndup(&p->spec->mem, here(p), n);
	p->pos += n;
	if (at(p, "-"))
		return parse_number(p, true, &a->number);
	return take(p, "+") ? parse_number(p, false, &a->number) : 0;
}

static int parse_immediate(struct arg_parser *p, struct probe_arg *a)
{
	const char *end;

	p->pos++;
	a->kind = PROBE_ARG_IMMEDIATE;
	if (!take(p, "\""))
		return parse_number(p, true, &a->number);
	end = memchr(here(p), '"', left(p));
	if (!end)
		return err_arg(p, p->pos, 1, "this text has no closing '\"'");
	a->variable = arena_strndup(&p->spec->mem, here(p), end - here(p));
	p->pos = end - p->spec->text + 1;
	return 0;
}

static int parse_expression(struct arg_parser *p, struct probe_arg *a);

/* +OFF(EXPRESSION), -OFF(EXPRESSION), +uOFF(EXPRESSION) */
static int parse_deref(struct arg_parser *p, struct probe_arg *a)
{
	bool negative = at(p, "-");

	p->pos++;
	if (p->depth++ == DEPTH_MAX)
		return err_arg(p, p->pos, 1, "the expression is nested too deeply");
	a->kind = PROBE_ARG_DEREF;
	a->is_user = take(p, "u");
	if (parse_number(p, false, &a->number))
		return -EINVAL;
	if (negative)
		a->number = -(u64)a->number;
	if (!take(p, "("))
		return err_arg(p, p->pos, 1, "'(' is expected after the offset");
	a->inner = ARENA_NEW(&p->spec->mem, struct probe_arg);
	skip_blanks(p);
	if (parse_expression(p, a->inner))
		return -EINVAL;
	skip_blanks(p);
	if (!take(p, ")"))
		return err_arg(p, p->pos, 1, "')' is expected here");
	p->depth--;
	return 0;
}

static int parse_expression(struct arg_parser *p, struct probe_arg *a)
{
	size_t start = p->pos, n;

	switch (left(p) ? *here(p) : 0) {
	case '$':
		return parse_dollar(p, a);
	case '@':
		return parse_memory(p, a);
	case '\\':
		return parse_immediate(p, a);
	case '+':
	case '-':
		return parse_deref(p, a);
	case '%':
		p->pos++;
		n = 0;
		while (n < left(p) && (isalnum((u8)here(p)[n]) || here(p)[n] == '_'))
			n++;
		if (!n)
			return err_arg(p, start, 1, "the name of a register is expected after the '%'");
		a->kind = PROBE_ARG_REGISTER;
		a->variable = arena_strndup(&p->spec->mem, here(p), n);
		p->pos += n;
		return 0;
	default:
		return parse_variable(p, a);
	}
}

/* the number of bits after u, s and x: "" gives 0; false: not one of 8, 16, 32, 64 */
static bool parse_bits(const char *s, size_t len, u8 *ret)
{
	u64 v = 0;

	if (len && (probe_number(s, len, &v) != len || (v != 8 && v != 16 && v != 32 && v != 64)))
		return false;
	*ret = v;
	return true;
}

/* WIDTH@OFFSET/CONTAINER after the b */
static bool parse_bitfield(const char *s, size_t len, struct probe_type *t)
{
	u64 width, offset, container;
	size_t n = probe_number(s, len, &width), m;

	if (!n || n == len || s[n] != '@')
		return false;
	m = probe_number(s + n + 1, len - n - 1, &offset);
	n += 1 + m;
	if (!m || n == len || s[n] != '/')
		return false;
	m = probe_number(s + n + 1, len - n - 1, &container);
	if (!m || n + 1 + m != len || !parse_bits(s + n + 1, m, &t->bits) || !width || width > container ||
	    offset > container - width)
		return false;
	t->kind = PROBE_TYPE_BITFIELD;
	t->bit_width = width;
	t->bit_offset = offset;
	return true;
}

static bool parse_type_word(const char *s, size_t len, struct probe_type *t)
{
	static const struct {
		const char *name;
		enum probe_type_kind kind;
	} words[] = {
		{ "string", PROBE_TYPE_STRING }, { "ustring", PROBE_TYPE_USTRING },
		{ "symbol", PROBE_TYPE_SYMBOL }, { "symstr", PROBE_TYPE_SYMSTR }, { "char", PROBE_TYPE_CHAR },
	};
	static const char sign[] = "usx";
	static const enum probe_type_kind kinds[] = { PROBE_TYPE_UNSIGNED, PROBE_TYPE_SIGNED,
						     PROBE_TYPE_HEX };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (len == strlen(words[i].name) && !memcmp(s, words[i].name, len)) {
			t->kind = words[i].kind;
			t->bits = t->kind == PROBE_TYPE_CHAR ? 8 : 0;
			return true;
		}
	if (!len)
		return true;
	if (*s == 'b')
		return parse_bitfield(s + 1, len - 1, t);
	for (int i = 0; i < 3; i++)
		if (*s == sign[i] && parse_bits(s + 1, len - 1, &t->bits)) {
			t->kind = kinds[i];
			return true;
		}
	return false;
}

size_t probe_type_parse(struct probe_spec *spec, struct probe_type *t, size_t pos, size_t end,
			struct err *err)
{
	const char *s = spec->text + pos;
	size_t len = end - pos, word = len, user = strlen("@user");
	const char *bracket;
	u64 nr;

	if (len >= user && !memcmp(s + len - user, "@user", user))
		len -= user;
	bracket = memchr(s, '[', len);
	word = bracket ? (size_t)(bracket - s) : len;
	if (bracket && (s[len - 1] != ']' || !probe_number(bracket + 1, len - word - 1, &nr) ||
			probe_number(bracket + 1, len - word - 1, &nr) != len - word - 2 || !nr ||
			nr > ARRAY_MAX)) {
		err_set(err, -EINVAL, "an array has from 1 to %d elements", ARRAY_MAX);
		err_caret(err, spec->text, pos + word, len - word);
		return 0;
	}
	if (!len || !parse_type_word(s, word, t)) {
		err_set(err, -EINVAL, "'%.*s' is not a type", (int)len, s);
		err_hint(err, "types are u8 to u64, s8 to s64, x8 to x64, u, s, x, char, string, ustring, "
			 "symbol, bWIDTH@OFFSET/SIZE, and arrays of them such as u8[4]");
		err_caret(err, spec->text, pos, len ? len : 1);
		return 0;
	}
	t->array = bracket ? nr : 0;
	t->text = arena_strndup(&spec->mem, s, len);
	return pos + len;
}

static int parse_name(struct arg_parser *p, struct probe_arg *a)
{
	size_t n = probe_ident(here(p), left(p));
	const char *eq = memchr(here(p), '=', left(p));

	if (!eq)
		return 0;
	/* the = of an immediate text */
	if (memchr(here(p), '"', eq - here(p)))
		return 0;
	if (!n || here(p) + n != eq)
		return err_arg(p, p->pos, eq - here(p),
			       "the name of an argument needs letters, digits and _, "
			       "and does not begin with a digit");
	if (n > 31)
		return err_arg(p, p->pos, n, "the name of an argument is longer than 31 characters");
	a->name = arena_strndup(&p->spec->mem, here(p), n);
	p->pos += n + 1;
	return 0;
}

int probe_arg_parse(struct probe_spec *spec, struct probe_arg *a, size_t off, size_t len, struct err *err)
{
	struct arg_parser p = { .spec = spec, .pos = off, .end = off + len, .err = err };
	size_t start;

	if (parse_name(&p, a))
		return -EINVAL;
	start = p.pos;
	a->text = arena_strndup(&spec->mem, here(&p), left(&p));
	if (parse_expression(&p, a))
		return -EINVAL;
	if (take(&p, ":")) {
		p.pos = probe_type_parse(spec, &a->type, p.pos, p.end, err);
		if (!p.pos)
			return -EINVAL;
	}
	if (take(&p, "@user"))
		a->is_user = true;
	if (left(&p))
		return err_arg(&p, p.pos, left(&p), "this does not belong to the argument");
	if ((a->kind == PROBE_ARG_PARAMS || a->kind == PROBE_ARG_VARS) && (a->name || a->type.text))
		return err_arg(&p, start, p.end - start, "several variables cannot have one name or type");
	return 0;
}
