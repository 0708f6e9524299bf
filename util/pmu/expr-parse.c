/* Metric expressions: text to tree, by precedence climbing. */
#include "expr.h"
#include "expr-private.h"
#include "../base/caret.h"
#include "../base/maths.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX (64 * 1024)
#define NODES_MAX 8192		/* also limits the depth of a walk over the tree */
#define DEPTH_MAX 200		/* of parentheses, functions and else branches */

struct scanner {
	const char *text, *p;
	struct arena *arena;
	struct err *err;
	int param;
	u32 nodes, depth;
};

static const struct expr *parse_expr(struct scanner *s);

static const struct expr *fail(struct scanner *s, const char *at, const char *what)
{
	if (s->err && s->err->code)
		return NULL;	/* the first problem causes the others */
	err_set(s->err, -EINVAL, "%s", what);
	err_caret(s->err, s->text, at - s->text, 1);
	return NULL;
}

static struct expr *node(struct scanner *s, enum expr_op op)
{
	struct expr *e;

	if (++s->nodes > NODES_MAX) {
		fail(s, s->p, "the expression is too long");
		return NULL;
	}
	e = ARENA_NEW(s->arena, struct expr);
	e->op = op;
	return e;
}

static void skip_blanks(struct scanner *s)
{
	while (isspace((unsigned char)*s->p))
		s->p++;
}

static bool is_id_start(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '\\';
}

/* the length of the id at p as it is written */
static size_t id_length(const char *p)
{
	bool inside = false;	/* between two @ */
	size_t n = 0;

	for (;; n++) {
		char c = p[n];

		if (c == '\\' && p[n + 1] >= ' ' && p[n + 1] < 0x7f) {
			n++;
		} else if (c == '@') {
			inside = !inside;
		} else if (!(isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':' || c == '?' ||
			     (inside && c && strchr("'[]", c)))) {
			return n;
		}
	}
}

/* removes escapes, and replaces @ by /, ? by the parameter */
static const char *id_text(struct scanner *s, const char *p, size_t len)
{
	char num[16] = "?", *out, *o;
	size_t marks = 0, n;

	if (s->param >= 0)
		snprintf(num, sizeof(num), "%d", s->param);
	n = strlen(num);
	for (size_t i = 0; i < len; i++)
		marks += p[i] == '?';
	out = o = arena_alloc(s->arena, len + marks * n + 1);
	for (size_t i = 0; i < len; i++) {
		if (p[i] == '\\' && i + 1 < len) {
			*o++ = p[++i];
		} else if (p[i] == '@') {
			*o++ = '/';
		} else if (p[i] == '?') {
			memcpy(o, num, n);
			o += n;
		} else {
			*o++ = p[i];
		}
	}
	*o = '\0';
	return out;
}

/* decimal with fraction and exponent, or hexadecimal; the same in every locale */
static const struct expr *parse_number(struct scanner *s)
{
	const char *start = s->p;
	struct expr *e = node(s, EXPR_NUM);
	double v = 0;
	long exp = 0, given = 0;

	if (!e)
		return NULL;
	if (s->p[0] == '0' && (s->p[1] == 'x' || s->p[1] == 'X') && isxdigit((unsigned char)s->p[2])) {
		for (s->p += 2; isxdigit((unsigned char)*s->p); s->p++)
			v = v * 16 + (isdigit((unsigned char)*s->p) ? *s->p - '0' :
				      tolower((unsigned char)*s->p) - 'a' + 10);
	} else {
		for (; isdigit((unsigned char)*s->p); s->p++)
			v = v * 10 + (*s->p - '0');
		if (*s->p == '.')
			for (s->p++; isdigit((unsigned char)*s->p); s->p++, exp--)
				v = v * 10 + (*s->p - '0');
		if ((*s->p == 'e' || *s->p == 'E') &&
		    (isdigit((unsigned char)s->p[1]) ||
		     ((s->p[1] == '-' || s->p[1] == '+') && isdigit((unsigned char)s->p[2])))) {
			bool minus = *++s->p == '-';

			s->p += *s->p == '-' || *s->p == '+';
			for (; isdigit((unsigned char)*s->p); s->p++)
				given = MIN(given * 10 + (*s->p - '0'), 100000L);
			exp += minus ? -given : given;
		}
		/* dividing by a power of ten is exact, while multiplying by its inverse is not */
		v = exp < 0 ? v / maths_pow(10, -exp) : v * maths_pow(10, exp);
	}
	if (is_id_start(*s->p) || *s->p == '.')
		return fail(s, s->p, "an operator is expected after this number");
	if (!isfinite(v))
		return fail(s, start, "this number is too large");
	e->num = v;
	return e;
}

static bool accept(struct scanner *s, char c)
{
	skip_blanks(s);
	if (*s->p != c)
		return false;
	s->p++;
	return true;
}

/* min(a, b) and the like, from after the opening parenthesis */
static const struct expr *parse_two(struct scanner *s, enum expr_op op)
{
	struct expr *e = node(s, op);

	if (!e || !(e->a = parse_expr(s)))
		return NULL;
	if (!accept(s, ','))
		return fail(s, s->p, "',' and a second argument are expected here");
	if (!(e->b = parse_expr(s)))
		return NULL;
	if (!accept(s, ')'))
		return fail(s, s->p, "')' is expected here");
	return e;
}

static const struct expr *parse_name_arg(struct scanner *s, enum expr_op op)
{
	struct expr *e = node(s, op);
	size_t len;

	if (!e)
		return NULL;
	skip_blanks(s);
	len = op == EXPR_CPUID ? strcspn(s->p, ")") : is_id_start(*s->p) ? id_length(s->p) : 0;
	if (!len)
		return fail(s, s->p, "the name of an event is expected here");
	e->name = op == EXPR_CPUID ? arena_strndup(s->arena, s->p, len) : id_text(s, s->p, len);
	s->p += len;
	if (!accept(s, ')'))
		return fail(s, s->p, "')' is expected here");
	return e;
}

static const struct function {
	const char *name;
	enum expr_op op;
	const struct expr *(*parse)(struct scanner *s, enum expr_op op);
} functions[] = {
	{ "min", EXPR_MIN, parse_two },
	{ "max", EXPR_MAX, parse_two },
	{ "d_ratio", EXPR_D_RATIO, parse_two },
	{ "has_event", EXPR_HAS_EVENT, parse_name_arg },
	{ "source_count", EXPR_SOURCE_COUNT, parse_name_arg },
	{ "aggr_nr", EXPR_SOURCE_COUNT, parse_name_arg },
	{ "strcmp_cpuid_str", EXPR_CPUID, parse_name_arg },
};

static bool word_is(const char *p, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(p, word, len);
}

static const struct expr *parse_id(struct scanner *s)
{
	const char *start = s->p;
	size_t len = id_length(start);
	struct expr *e;

	s->p += len;
	skip_blanks(s);
	for (size_t i = 0; *s->p == '(' && i < ARRAY_SIZE(functions); i++)
		if (word_is(start, len, functions[i].name)) {
			s->p++;
			return functions[i].parse(s, functions[i].op);
		}
	if (*s->p == '(')
		return fail(s, start, "unknown function (functions: min, max, d_ratio, has_event, "
			    "source_count, aggr_nr, strcmp_cpuid_str)");
	if (word_is(start, len, "if") || word_is(start, len, "else"))
		return fail(s, start, "a value is expected here");
	e = node(s, EXPR_ID);
	if (e)
		e->name = id_text(s, start, len);
	return e;
}

static const struct expr *parse_literal(struct scanner *s)
{
	struct expr *e = node(s, EXPR_LITERAL);
	size_t len = 0;
	char *name;

	if (!e)
		return NULL;
	s->p++;		/* # */
	while (isalnum((unsigned char)s->p[len]) || s->p[len] == '_')
		len++;
	if (!len)
		return fail(s, s->p, "the name of a constant is expected after '#'");
	name = arena_strndup(s->arena, s->p, len);
	for (size_t i = 0; i < len; i++)
		name[i] = tolower((unsigned char)name[i]);
	e->name = name;
	s->p += len;
	return e;
}

static const struct expr *parse_operand(struct scanner *s)
{
	const struct expr *e;

	skip_blanks(s);
	if (*s->p == '(') {
		const char *open = s->p++;

		e = parse_expr(s);
		if (!e)
			return NULL;
		return accept(s, ')') ? e : fail(s, *s->p ? s->p : open,
						 *s->p ? "an operator or ')' is expected here" :
						 "this parenthesis is not closed");
	}
	if (isdigit((unsigned char)*s->p) || (*s->p == '.' && isdigit((unsigned char)s->p[1])))
		return parse_number(s);
	if (*s->p == '#')
		return parse_literal(s);
	if (is_id_start(*s->p) && id_length(s->p))
		return parse_id(s);
	return fail(s, s->p, *s->p ? "a value is expected here" : "a value is missing at the end");
}

static const struct expr *parse_unary(struct scanner *s)
{
	struct expr *e;
	char c;

	skip_blanks(s);
	c = *s->p;
	if (c != '-' && c != '!' && c != '+')
		return parse_operand(s);
	s->p++;
	if (++s->depth > DEPTH_MAX)
		return fail(s, s->p, "the expression is nested too deeply");
	e = node(s, c == '!' ? EXPR_NOT : EXPR_NEG);
	if (!e || !(e->a = parse_unary(s)))
		return NULL;
	s->depth--;
	return c == '+' ? e->a : e;
}

static const struct op_row {
	const char *text;	/* the longer ones first */
	enum expr_op op;
	int level;
} op_rows[] = {
	{ "<=", EXPR_LE, 4 }, { ">=", EXPR_GE, 4 }, { "==", EXPR_EQ, 4 }, { "!=", EXPR_NE, 4 },
	{ "|", EXPR_OR, 1 }, { "^", EXPR_XOR, 2 }, { "&", EXPR_AND, 3 },
	{ "<", EXPR_LT, 4 }, { ">", EXPR_GT, 4 },
	{ "+", EXPR_ADD, 5 }, { "-", EXPR_SUB, 5 },
	{ "*", EXPR_MUL, 6 }, { "/", EXPR_DIV, 6 }, { "%", EXPR_MOD, 6 },
};

static const struct op_row *peek_op(struct scanner *s, int level)
{
	skip_blanks(s);
	for (size_t i = 0; i < ARRAY_SIZE(op_rows); i++)
		if (!strncmp(s->p, op_rows[i].text, strlen(op_rows[i].text)))
			return op_rows[i].level >= level ? &op_rows[i] : NULL;
	return NULL;
}

static const struct expr *parse_binary(struct scanner *s, int level)
{
	const struct expr *left = parse_unary(s);
	const struct op_row *row;

	while (left && (row = peek_op(s, level))) {
		struct expr *e = node(s, row->op);

		s->p += strlen(row->text);
		if (!e)
			return NULL;
		e->a = left;
		e->b = parse_binary(s, row->level + 1);
		left = e->b ? e : NULL;
	}
	return left;
}

static bool accept_word(struct scanner *s, const char *word)
{
	size_t len = strlen(word);

	skip_blanks(s);
	if (strncmp(s->p, word, len) || id_length(s->p) != len)
		return false;
	s->p += len;
	return true;
}

static const struct expr *parse_expr(struct scanner *s)
{
	const struct expr *value, *cond;
	struct expr *e;

	if (++s->depth > DEPTH_MAX)
		return fail(s, s->p, "the expression is nested too deeply");
	value = parse_binary(s, 1);
	if (value && accept_word(s, "if")) {
		e = node(s, EXPR_IF);
		cond = e ? parse_binary(s, 1) : NULL;
		if (!cond)
			return NULL;
		if (!accept_word(s, "else"))
			return fail(s, s->p, "'else' is expected here");
		e->a = value;
		e->c = cond;
		e->b = parse_expr(s);
		value = e->b ? e : NULL;
	}
	s->depth--;
	return value;
}

const struct expr *expr_parse(struct arena *a, const char *text, int param, struct err *err)
{
	struct err own = ERR_INIT;
	struct scanner s = { .text = text, .p = text, .arena = a, .err = err ? err : &own, .param = param };
	const struct expr *e;

	err_clear(s.err);
	if (strnlen(text, TEXT_MAX + 1) > TEXT_MAX) {
		err_set(s.err, -E2BIG, "the expression is longer than %u bytes", TEXT_MAX);
		return NULL;
	}
	e = parse_expr(&s);
	skip_blanks(&s);
	if (e && *s.p)
		return fail(&s, s.p, "an operator is expected here");
	return e;
}
