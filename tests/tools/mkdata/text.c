/* mkdata: lines into tokens, expressions, names. */
#include "mkdata.h"
#include "../../../util/base/units.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

void fatal(const struct line *l, const char *fmt, ...)
{
	va_list ap;

	if (l)
		fprintf(stderr, "mkdata: line %u: ", l->nr);
	else
		fputs("mkdata: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

static const char *const tags[] = {
	"u8", "u16", "u32", "u64", "str", "z", "hex", "text", "zero", "pad", "file",
};

static bool is_tag(const char *s, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		if (strlen(tags[i]) == len && !strncmp(tags[i], s, len))
			return true;
	return is_packet_tag(s, len);
}

/* one character after a backslash inside quotes */
static const char *parse_escape(const struct line *l, const char *p, struct strbuf *out)
{
	static const char from[] = "ntr0e", to[] = "\n\t\r\0\033";
	const char *at;
	char hex[3];

	if (*p == 'x') {
		if (!isxdigit((unsigned char)p[1]) || !isxdigit((unsigned char)p[2]))
			fatal(l, "\\x wants two hex digits");
		memcpy(hex, p + 1, 2);
		hex[2] = '\0';
		strbuf_addch(out, strtoul(hex, NULL, 16));
		return p + 3;
	}
	at = *p ? strchr(from, *p) : NULL;
	strbuf_addch(out, at ? to[at - from] : *p);
	return p + 1;
}

static const char *parse_token(struct line *l, const char *p)
{
	size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz_0123456789-.");
	struct strbuf sb = STRBUF_INIT;
	struct token *t = vec_add(&l->tok);

	if (p[n] == '=' || (p[n] == ':' && is_tag(p, n))) {
		t->key = xstrndup(p, n);
		t->sep = p[n];
		p += n + 1;
	} else {
		t->key = xstrdup("");
	}
	while (*p && !isspace((unsigned char)*p)) {
		if (*p != '"') {
			strbuf_addch(&sb, *p++);
			continue;
		}
		t->quoted = true;
		for (p++; *p != '"';) {
			if (!*p)
				fatal(l, "no closing quote");
			if (*p == '\\')
				p = parse_escape(l, p + 1, &sb);
			else
				strbuf_addch(&sb, *p++);
		}
		p++;
	}
	t->len = sb.len;
	t->value = strbuf_detach(&sb);
	return p;
}

void line_parse(struct line *l, const char *p)
{
	for (;;) {
		p += strspn(p, " \t\r\n");
		if (!*p || *p == '#')
			return;
		p = parse_token(l, p);
	}
}

void line_release(struct line *l)
{
	vec_foreach(&l->tok, t) {
		free(t->key);
		free(t->value);
	}
	vec_release(&l->tok);
}

const struct token *line_key(const struct line *l, const char *key)
{
	vec_foreach(&l->tok, t)
		if (t->sep == '=' && !strcmp(t->key, key))
			return t;
	return NULL;
}

static u64 expr_factor(const struct line *l, const char **p)
{
	char *end;
	u64 v;

	if (**p == '-') {
		(*p)++;
		return -expr_factor(l, p);
	}
	if (!strncmp(*p, "$i", 2)) {
		*p += 2;
		return l->index;
	}
	v = strtoull(*p, &end, 0);
	if (end == *p)
		fatal(l, "'%s' is not a number", *p);
	*p = end;
	return v;
}

static u64 expr_term(const struct line *l, const char **p)
{
	u64 v = expr_factor(l, p), d;

	while (**p == '*' || **p == '/' || **p == '%') {
		char op = *(*p)++;

		d = expr_factor(l, p);
		if (op != '*' && !d)
			fatal(l, "division by zero");
		v = op == '*' ? v * d : op == '/' ? v / d : v % d;
	}
	return v;
}

/* numbers, $i, + - * / %, no blanks */
u64 expr_value(const struct line *l, const char *text)
{
	const char *p = text;
	u64 v = expr_term(l, &p);

	while (*p == '+' || *p == '-') {
		char op = *p++;
		u64 t = expr_term(l, &p);

		v = op == '+' ? v + t : v - t;
	}
	if (*p)
		fatal(l, "'%s': '%s' is not understood", text, p);
	return v;
}

u64 names_value(const struct line *l, const struct name_value *names, const char *text)
{
	char *copy = xstrdup(text), *save = NULL;
	u64 v = 0;

	for (char *w = strtok_r(copy, "|,", &save); w; w = strtok_r(NULL, "|,", &save)) {
		const struct name_value *n = names;

		while (n->name && strcasecmp(n->name, w))
			n++;
		v |= n->name ? n->value : expr_value(l, w);
	}
	free(copy);
	return v;
}

void numbers_parse(const struct line *l, const char *text, struct mk_numbers *ret)
{
	char *copy = xstrdup(text), *save = NULL;

	for (char *w = strtok_r(copy, ",:", &save); w; w = strtok_r(NULL, ",:", &save))
		vec_push(ret, expr_value(l, w));
	free(copy);
}

void token_bytes(const struct line *l, const struct token *t, struct strbuf *out)
{
	char pair[3] = "";

	if (t->quoted) {
		strbuf_add(out, t->value, t->len);
		return;
	}
	if (t->len % 2 || strspn(t->value, "0123456789abcdefABCDEF") != t->len)
		fatal(l, "'%s': pairs of hex digits or a quoted string wanted", t->value);
	for (size_t i = 0; i < t->len; i += 2) {
		memcpy(pair, t->value + i, 2);
		strbuf_addch(out, strtoul(pair, NULL, 16));
	}
}
