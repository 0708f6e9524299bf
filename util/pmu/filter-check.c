/* Checking filters before the kernel parses them. */
#include "filter-check.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "../base/caret.h"
#include "../base/cpulist.h"
#include "../base/strbuf.h"
#include "../base/units.h"
#include "names.h"

#define DEPTH_MAX 100		/* of nested parentheses and ! */
#define TEXT_MAX 255		/* of a string, the kernel's limit */

enum trace_field_kind { FIELD_NUMBER, FIELD_TEXT, FIELD_CPUMASK, FIELD_ARRAY };

struct filter_field {
	const char *decl;	/* "char comm[16]", as in the format; not terminated */
	size_t decl_len;
	const char *name;
	size_t name_len;
	enum trace_field_kind kind;
};

struct check {
	const char *text, *p;
	const char *event;
	struct { VEC(struct filter_field); } field;
	bool any_field;		/* the fields are not known */
	int depth;
	struct err *err;
};

static int fail(struct check *c, const char *at, size_t len, const char *fmt, ...) PRINTF_LIKE(4, 5);
static int fail(struct check *c, const char *at, size_t len, const char *fmt, ...)
{
	char msg[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	err_set(c->err, -EINVAL, "filter of '%.100s': %s", c->event, msg);
	err_caret(c->err, c->text, at - c->text, len);
	return -EINVAL;
}

static void skip(struct check *c)
{
	c->p += strspn(c->p, " \t\n");
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* ---- fields ---- */

static bool has_word(const char *s, size_t len, const char *word)
{
	return memmem(s, len, word, strlen(word));
}

/* "TYPE NAME" or "TYPE NAME[N]" */
static void add_field(struct check *c, const char *decl, size_t len)
{
	struct filter_field f = { .decl = decl, .decl_len = len };
	const char *end = decl + len;
	bool array = len && end[-1] == ']';

	if (array)
		while (end > decl && *--end != '[')
			;
	f.name = end;
	while (f.name > decl && (isalnum((unsigned char)f.name[-1]) || f.name[-1] == '_'))
		f.name--;
	f.name_len = end - f.name;
	if (has_word(decl, len, "cpumask_t"))
		f.kind = FIELD_CPUMASK;
	else if (has_word(decl, len, "char") &&
		 (array || has_word(decl, len, "[]") || has_word(decl, len, "char *")))
		f.kind = FIELD_TEXT;
	else if (array || has_word(decl, len, "[]"))
		f.kind = FIELD_ARRAY;
	vec_push(&c->field, f);
}

static void read_fields(struct check *c, const char *format)
{
	const char *end = strstr(format, "\nprint fmt:");

	for (const char *p = strstr(format, "field:"); p && (!end || p < end); p = strstr(p, "field:")) {
		p += strlen("field:");
		add_field(c, p, strcspn(p, ";\n"));
	}
}

/* fields that the kernel knows for every event; a field of the event itself has priority */
static const struct {
	const char *name;
	enum trace_field_kind kind;
} generic_fields[] = {
	{ "CPU", FIELD_NUMBER }, { "cpu", FIELD_NUMBER }, { "COMM", FIELD_TEXT }, { "comm", FIELD_TEXT },
	{ "stacktrace", FIELD_NUMBER }, { "STACKTRACE", FIELD_NUMBER },
};

static bool find_field(const struct check *c, const char *name, size_t len, enum trace_field_kind *ret)
{
	vec_foreach(&c->field, f)
		if (f->name_len == len && !memcmp(f->name, name, len)) {
			*ret = f->kind;
			return true;
		}
	for (size_t i = 0; i < ARRAY_SIZE(generic_fields); i++)
		if (strlen(generic_fields[i].name) == len && !memcmp(generic_fields[i].name, name, len)) {
			*ret = generic_fields[i].kind;
			return true;
		}
	return false;
}

static int err_unknown_field(struct check *c, const char *name, size_t len)
{
	struct strbuf list = STRBUF_INIT, near = STRBUF_INIT;
	struct nearest n;

	nearest_init(&n, name, len);
	vec_foreach(&c->field, f) {
		char buf[100];

		snprintf(buf, sizeof(buf), "%.*s", (int)MIN(f->name_len, sizeof(buf) - 1), f->name);
		nearest_offer(&n, buf);
		if (!has_word(f->decl, f->decl_len, "common_"))
			strbuf_addf(&list, "%s%.*s", list.len ? "; " : "", (int)f->decl_len, f->decl);
	}
	nearest_describe(&n, &near);
	fail(c, name, len, "it has no field '%.*s'%s", (int)MIN(len, (size_t)60), name, strbuf_str(&near));
	err_hint(c->err, "fields of this event: %.500s", list.len ? list.buf : "none");
	err_hint(c->err, "fields of every event: common_pid, common_type, CPU, COMM");
	strbuf_release(&list);
	strbuf_release(&near);
	return -EINVAL;
}

/* ---- comparisons ---- */

static const struct op {
	const char *text;
	bool number, string, mask;	/* the kinds of fields that it is for */
} ops[] = {	/* longer ones come first */
	{ "==", true, true, true }, { "!=", true, true, true }, { "<=", true, false, false },
	{ ">=", true, false, false }, { "<", true, false, false }, { ">", true, false, false },
	{ "&", true, false, true }, { "~", false, true, false },
};

/* what users type instead */
static const struct {
	const char *text, *meant;
} wrong_ops[] = {
	{ "===", "==" }, { "=>", ">=" }, { "=<", "<=" }, { "<>", "!=" }, { "=~", "~" },
	{ "!~", "!(... ~ ...)" }, { "&&", NULL }, { "||", NULL }, { "=", "==" }, { "eq", "==" },
	{ "ne", "!=" }, { "like", "~" },
};

static int parse_op(struct check *c, const char *field, size_t field_len, const struct op **ret)
{
	skip(c);
	for (size_t i = 0; i < ARRAY_SIZE(wrong_ops); i++) {
		size_t len = strlen(wrong_ops[i].text);

		if (strncmp(c->p, wrong_ops[i].text, len) || (!wrong_ops[i].meant && *c->p) ||
		    (wrong_ops[i].text[0] == '=' && len == 1 && c->p[1] == '='))
			continue;
		return fail(c, c->p, len, "'%s' is not an operator (did you mean '%s'?)", wrong_ops[i].text,
			    wrong_ops[i].meant);
	}
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (!strncmp(c->p, ops[i].text, strlen(ops[i].text)) && strncmp(c->p, "&&", 2)) {
			*ret = &ops[i];
			c->p += strlen(ops[i].text);
			return 0;
		}
	fail(c, *c->p ? c->p : field, *c->p ? 1 : field_len,
	     "'%.*s' has no comparison: an operator is expected", (int)MIN(field_len, (size_t)60), field);
	err_hint(c->err,
		 "operators: == != < <= > >= & (bits in common) for numbers, == != ~ (glob) for text");
	return -EINVAL;
}

static int parse_text(struct check *c)
{
	const char *start = c->p, *end = strchr(start + 1, *start);

	if (!end)
		return fail(c, start, 1, "the text has no closing %c", *start);
	if (end - start - 1 > TEXT_MAX)
		return fail(c, start, end - start, "a text has at most %d bytes", TEXT_MAX);
	c->p = end + 1;
	return 0;
}

static int parse_cpus(struct check *c)
{
	const char *open = c->p + strlen("CPUS"), *close = strchr(open, '}');
	struct cpulist list = { 0 };
	struct err err = ERR_INIT;
	char buf[256];
	int ret;

	if (!close || close - open > (ptrdiff_t)sizeof(buf) - 1)
		return fail(c, c->p, strlen("CPUS{"), "a list of CPUs is written CPUS{0-3,8}");
	snprintf(buf, sizeof(buf), "%.*s", (int)(close - open - 1), open + 1);
	ret = cpulist_parse(&list, buf, &err);
	if (!ret && !list.nr)
		ret = -EINVAL;
	vec_release(&list);
	if (ret)
		return fail(c, open, close + 1 - open, "a list of CPUs is written CPUS{0-3,8}");
	c->p = close + 1;
	return 0;
}

static int parse_number(struct check *c)
{
	const char *start = c->p;
	size_t len = (*start == '-') + word_length(start + (*start == '-'));
	char buf[40];
	u64 v;
	int ret = -EINVAL;

	if (len < sizeof(buf)) {
		snprintf(buf, sizeof(buf), "%.*s", (int)len, start);
		ret = parse_u64(buf + (*buf == '-'), &v);
	}
	if (ret == -ERANGE)
		return fail(c, start, len, "%.*s is too large for a number of 64 bits",
			    (int)MIN(len, (size_t)60), start);
	if (ret)
		return fail(c, start, MAX(len, (size_t)1), "a number is expected here");
	c->p += len;
	return 0;
}

static int parse_value(struct check *c, const char *field, size_t field_len, enum trace_field_kind kind,
		       const struct op *op, bool function)
{
	const char *quote;
	size_t len;

	skip(c);
	quote = *c->p == '"' || *c->p == '\'' ? c->p : NULL;
	len = strcspn(c->p, " \t\n&|)");
	if (!*c->p)
		return fail(c, c->p, 1, "a value is missing at the end");
	if (!strncmp(c->p, "CPUS{", 5)) {
		if (kind == FIELD_TEXT || !op->mask)
			return fail(c, c->p, len,
				    "CPUS{...} goes with ==, != and &, and with fields that are CPUs");
		return parse_cpus(c);
	}
	if (quote && (kind == FIELD_TEXT || function || c->any_field))
		return parse_text(c);
	if (quote)
		return fail(c, quote, len, "field '%.*s' is a number, not text", (int)field_len, field);
	if (kind == FIELD_TEXT && !(c->any_field && (isdigit((unsigned char)*c->p) || *c->p == '-')))
		return fail(c, c->p, len, "field '%.*s' is text: its value is written in quotes, \"%.*s\"",
			    (int)field_len, field, (int)MIN(len, (size_t)40), c->p);
	return parse_number(c);
}

static int check_op(struct check *c, const char *at, const char *field, size_t len,
		    enum trace_field_kind kind, const struct op *op)
{
	bool fits = kind == FIELD_TEXT ? op->string : kind == FIELD_CPUMASK ? op->mask : op->number;

	if (fits)
		return 0;
	if (kind == FIELD_TEXT)
		return fail(c, at, strlen(op->text), "field '%.*s' is text: ==, != and ~ are for it",
			    (int)len, field);
	if (kind == FIELD_CPUMASK)
		return fail(c, at, strlen(op->text), "field '%.*s' is a set of CPUs: ==, != and & are for it",
			    (int)len, field);
	return fail(c, at, strlen(op->text), "field '%.*s' is a number: ~ is for text", (int)len, field);
}

/*
 * ".ustring": a pointer to a text in user space; ".function": an address, given by the name of its function
 */
static int parse_suffix(struct check *c, enum trace_field_kind *kind, bool *function)
{
	size_t len;

	if (*c->p != '.')
		return 0;
	len = word_length(c->p + 1);
	if (len == 7 && !memcmp(c->p + 1, "ustring", len))
		*kind = FIELD_TEXT;
	else if (len == 8 && !memcmp(c->p + 1, "function", len))
		*function = true;
	else
		return fail(c, c->p, len + 1, "a field can be followed by .ustring or .function");
	c->p += len + 1;
	return 0;
}

static int parse_compare(struct check *c)
{
	const char *field = c->p, *at;
	size_t len = word_length(field);
	enum trace_field_kind kind = FIELD_NUMBER;
	const struct op *op = NULL;
	bool function = false;
	int ret;

	if (!len || isdigit((unsigned char)*field))
		return fail(c, field, MAX(len, (size_t)1), *field ? "the name of a field is expected here" :
			    "a comparison is missing at the end");
	if (!c->any_field && !find_field(c, field, len, &kind))
		return err_unknown_field(c, field, len);
	if (kind == FIELD_ARRAY)
		return fail(c, field, len, "field '%.*s' is an array: it cannot be compared", (int)len,
			    field);
	c->p += len;
	ret = parse_suffix(c, &kind, &function);
	if (!ret)
		ret = parse_op(c, field, len, &op);
	if (ret)
		return ret;
	at = c->p - strlen(op->text);
	if (c->any_field)
		kind = op->number && op->string ? FIELD_TEXT : op->string ? FIELD_TEXT : FIELD_NUMBER;
	else
		ret = check_op(c, at, field, len, kind, op);
	return ret ? ret : parse_value(c, field, len, kind, op, function);
}

static int parse_or(struct check *c);

static int parse_not(struct check *c)
{
	const char *start;
	int ret;

	skip(c);
	start = c->p;
	if (*c->p != '!' && *c->p != '(')
		return parse_compare(c);
	if (++c->depth > DEPTH_MAX)
		return fail(c, start, 1, "this is nested too deeply");
	c->p++;
	if (*start == '!') {
		ret = parse_not(c);
	} else {
		ret = parse_or(c);
		skip(c);
		if (!ret && *c->p != ')')
			return *c->p ? fail(c, c->p, 1, "&&, || or ')' is expected here") :
			       fail(c, start, 1, "this '(' is never closed");
		c->p += !ret;
	}
	c->depth--;
	return ret;
}

static int parse_chain(struct check *c, const char *op, int (*part)(struct check *c))
{
	for (;;) {
		int ret = part(c);

		if (ret)
			return ret;
		skip(c);
		if (strncmp(c->p, op, 2))
			return 0;
		c->p += 2;
	}
}

static int parse_and(struct check *c)
{
	return parse_chain(c, "&&", parse_not);
}

static int parse_or(struct check *c)
{
	return parse_chain(c, "||", parse_and);
}

int filter_check(const char *filter, const char *event, const char *format, struct err *err)
{
	struct check c = { .text = filter, .p = filter, .event = event, .any_field = !format, .err = err };
	int ret;

	if (format)
		read_fields(&c, format);
	ret = parse_or(&c);
	skip(&c);
	if (!ret && *c.p) {
		size_t len = MAX(word_length(c.p), (size_t)1);

		if (!strncasecmp(c.p, "and", 3) || !strncasecmp(c.p, "or", 2))
			ret = fail(&c, c.p, len, "'%.*s' is not an operator (did you mean '%s'?)", (int)len,
				   c.p, tolower((unsigned char)*c.p) == 'a' ? "&&" : "||");
		else
			ret = fail(&c, c.p, len,
				   *c.p == ')' ? "this ')' closes nothing" : "&& or || is expected here");
	}
	vec_release(&c.field);
	return ret;
}
