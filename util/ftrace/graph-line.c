/* Graph line: parsing. */
#include "graph-line.h"

#include <string.h>

#define US 1000ull

/* what remains of a line */
struct rest {
	const char *at, *end;
};

static size_t left(const struct rest *t)
{
	return t->end - t->at;
}

static bool take(struct rest *t, const char *word)
{
	size_t len = strlen(word);

	if (left(t) < len || memcmp(t->at, word, len))
		return false;
	t->at += len;
	return true;
}

static u32 skip_blanks(struct rest *t)
{
	const char *from = t->at;

	while (t->at < t->end && *t->at == ' ')
		t->at++;
	return t->at - from;
}

/* decimal digits; false: there are none, or too many */
static bool take_number(struct rest *t, u64 *ret)
{
	const char *from = t->at;
	u64 v = 0;

	for (; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++)
		v = v * 10 + (*t->at - '0');
	*ret = v;
	return t->at > from && t->at - from <= 15;
}

/* "1.884 us", in ns; up to three digits after the point */
static bool take_duration(struct rest *t, u64 *ret)
{
	u64 whole, scale = US, ns = 0;

	if (!take_number(t, &whole))
		return false;
	if (take(t, "."))
		for (; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++) {
			scale /= 10;
			ns += (*t->at - '0') * scale;
		}
	skip_blanks(t);
	*ret = whole * US + ns;
	return take(t, "us");
}

static void set_name(struct graph_line *l, const char *name, const char *end)
{
	while (end > name && end[-1] == ' ')
		end--;
	if (end > name) {
		l->name = name;
		l->name_len = end - name;
	}
}

/* "f [module]" begins at from: its end, before " ret=..." that newer kernels add */
static const char *end_of_name(const char *from, const char *end)
{
	const char *p = memchr(from, ' ', end - from), *close;

	if (!p)
		return end;
	if (p + 1 < end && p[1] == '[' && (close = memchr(p, ']', end - p)))
		return close + 1;
	return p;
}

/* "f() {", "f [module]();", "f(arg=1);": the name, and what comes after the arguments */
static void parse_call(struct graph_line *l, const struct rest *t)
{
	const char *open = memchr(t->at, '(', left(t)), *end = t->end;
	const char *comment;

	if (!open)
		return;
	/* a comment at the end is the value that it returns: funcgraph-retval */
	comment = memmem(open, end - open, " /*", 3);
	if (comment)
		end = comment;
	while (end > open && end[-1] == ' ')
		end--;
	if (end[-1] == ';')
		l->kind = GRAPH_LEAF;
	else if (end[-1] == '{')
		l->kind = GRAPH_CALL;
	else
		return;
	set_name(l, t->at, open);
}

/* a brace; perhaps a comment: "f [module]", "f ret=0x0", "f = 0x0" or the value alone */
static void parse_return(struct graph_line *l, struct rest *t)
{
	const char *end;

	l->kind = GRAPH_RETURN;
	skip_blanks(t);
	if (!take(t, "/*"))
		return;
	skip_blanks(t);
	end = memmem(t->at, left(t), "*/", 2);
	if (end && t->at < end && *t->at != '=' && (end - t->at < 4 || memcmp(t->at, "ret=", 4)))
		set_name(l, t->at, end_of_name(t->at, end));
}

static void parse_body(struct graph_line *l, struct rest *t)
{
	u32 blanks = skip_blanks(t);

	/* two blanks for each level, from the outermost one on */
	l->depth = blanks >= 2 ? blanks / 2 - 1 : 0;
	if (take(t, "}"))
		parse_return(l, t);
	else if (left(t) >= 2 && !memcmp(t->at, "/*", 2))
		l->kind = GRAPH_COMMENT;
	else if (left(t))
		parse_call(l, t);
}

/* "CPU:0 [LOST 360 EVENTS]"; without the number on some kernels */
static void parse_lost(struct graph_line *l, struct rest *t)
{
	u64 cpu;

	if (!take_number(t, &cpu) || !take(t, " [LOST "))
		return;
	l->kind = GRAPH_LOST;
	l->cpu = cpu;
	if (!take_number(t, &l->lost) || !l->lost)
		l->lost = 1;
}

void graph_line_parse(const char *line, size_t len, struct graph_line *ret)
{
	struct rest t = { line, line + len };
	u64 cpu;

	*ret = (struct graph_line){ .kind = GRAPH_OTHER };
	if (take(&t, "CPU:"))
		return parse_lost(ret, &t);
	skip_blanks(&t);
	if (!take_number(&t, &cpu) || cpu > UINT32_MAX || !take(&t, ")"))
		return;
	ret->cpu = cpu;
	skip_blanks(&t);
	if (left(&t) >= 5 && (!memcmp(t.at, "=====", 5) || !memcmp(t.at, "<====", 5))) {
		ret->kind = GRAPH_IRQ;
		return;
	}
	if (left(&t) && strchr("+!#*@$", *t.at)) {
		ret->overhead = *t.at++;
		skip_blanks(&t);
	}
	if (left(&t) && *t.at >= '0' && *t.at <= '9') {
		if (!take_duration(&t, &ret->duration)) {
			ret->duration = 0;
			if (memmem(t.at, left(&t), "=>", 2))
				ret->kind = GRAPH_SWITCH;
			return;
		}
		ret->timed = true;
		skip_blanks(&t);
	}
	if (take(&t, "|"))
		parse_body(ret, &t);
	else if (memmem(t.at, left(&t), "=>", 2))
		ret->kind = GRAPH_SWITCH;
}
