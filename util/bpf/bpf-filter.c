/* Bpf-filter: reads the text of a filter; see bpf-filter.h. */
#include "bpf-filter-private.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include "../base/caret.h"
#include "../base/nearest.h"
#include "../base/units.h"

#define FILTER_TERM(...) { __VA_ARGS__ },
#define FILTER_VALUE(...)
static const struct filter_term terms[] = {
#include "bpf-filter-terms.def"
};
#undef FILTER_TERM
#undef FILTER_VALUE

#define FILTER_TERM(...)
#define FILTER_VALUE(...) { __VA_ARGS__ },
static const struct { enum filter_words words; const char *word; u64 value; } values[] = {
#include "bpf-filter-terms.def"
};
#undef FILTER_TERM
#undef FILTER_VALUE

/* longer ones first */
static const struct { const char *text; u8 op; } operators[] = {
	{ "==", BPF_JEQ }, { "!=", BPF_JNE }, { "<=", BPF_JLE }, { ">=", BPF_JGE }, { "<", BPF_JLT },
	{ ">", BPF_JGT }, { "&", BPF_JSET },
};

/* options of record that make samples have a field */
static const struct { u64 bits; const char *option; } options[] = {
	{ PERF_SAMPLE_DATA_SRC, "-d" },
	{ PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "-W" },
	{ PERF_SAMPLE_TRANSACTION, "--transaction" },
	{ PERF_SAMPLE_PHYS_ADDR, "--phys-data" },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, "--data-page-size" },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, "--code-page-size" },
	{ PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER, "--sample-identifier" },
};

struct condition_parser {
	const char *text, *p, *event;
	struct err *err;
};

static int fail(const struct condition_parser *q, const char *at, size_t len, const char *what)
{
	err_set(q->err, -EINVAL, "filter of '%.100s': %s", q->event, what);
	err_caret(q->err, q->text, at - q->text, len);
	return -EINVAL;
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

static void skip(struct condition_parser *q)
{
	q->p += strspn(q->p, " \t\n");
}

static bool is_word(const char *word, const char *at, size_t len)
{
	return strlen(word) == len && !memcmp(word, at, len);
}

static int unknown_term(const struct condition_parser *q, size_t len)
{
	struct strbuf msg = STRBUF_INIT, names = STRBUF_INIT;
	struct nearest near;

	nearest_init(&near, q->p, len);
	for (size_t i = 0; i < ARRAY_SIZE(terms); i++) {
		nearest_offer(&near, terms[i].name);
		strbuf_addf(&names, "%s%s", i ? " " : "", terms[i].name);
	}
	if (len)
		strbuf_addstr(&msg, "a sample does not have this term");
	else
		strbuf_addstr(&msg, "a term is expected here");
	nearest_describe(&near, &msg);
	fail(q, q->p, MAX(len, 1u), strbuf_str(&msg));
	err_hint(q->err, "terms: %s", strbuf_str(&names));
	strbuf_release(&msg);
	strbuf_release(&names);
	return -EINVAL;
}

static int parse_term(struct condition_parser *q, const struct filter_term **ret)
{
	size_t len;

	skip(q);
	len = word_length(q->p);
	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		if (is_word(terms[i].name, q->p, len)) {
			*ret = &terms[i];
			q->p += len;
			return 0;
		}
	return unknown_term(q, len);
}

static int parse_operator(struct condition_parser *q, u8 *ret)
{
	skip(q);
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
		if (!strncmp(q->p, operators[i].text, strlen(operators[i].text))) {
			*ret = operators[i].op;
			q->p += strlen(operators[i].text);
			return 0;
		}
	return fail(q, q->p, 1, "an operator is expected here: == != < <= > >= &");
}

static int wrong_value(const struct condition_parser *q, const struct filter_term *t, size_t len)
{
	struct strbuf words = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (values[i].words == t->words)
			strbuf_addf(&words, " %s", values[i].word);
	fail(q, q->p, MAX(len, 1u), words.len ? "a number or a word of this term is expected here" :
						"a number is expected here");
	if (words.len)
		err_hint(q->err, "words of %s:%s", t->name, strbuf_str(&words));
	strbuf_release(&words);
	return -EINVAL;
}

static int parse_value(struct condition_parser *q, const struct filter_term *t, u64 *ret)
{
	char number[32];
	size_t len;

	skip(q);
	len = word_length(q->p);
	snprintf(number, sizeof(number), "%.*s", (int)MIN(len, sizeof(number)), q->p);
	if (len < sizeof(number) && isdigit((unsigned char)*number) && !parse_u64(number, ret)) {
		q->p += len;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (values[i].words == t->words && is_word(values[i].word, q->p, len)) {
			*ret = values[i].value;
			q->p += len;
			return 0;
		}
	return wrong_value(q, t, len);
}

static int parse_compare(struct condition_parser *q, struct filter_compare *c)
{
	int ret = parse_term(q, &c->term);

	if (!ret)
		ret = parse_operator(q, &c->op);
	return ret ? ret : parse_value(q, c->term, &c->value);
}

/* "," or "||" after a condition; *ret_end: it was the last one */
static int parse_joint(struct condition_parser *q, struct filter_compare *c, bool *ret_end)
{
	skip(q);
	*ret_end = !*q->p;
	if (*ret_end)
		return 0;
	c->more = !strncmp(q->p, "||", 2);
	if (!c->more && *q->p != ',')
		return fail(q, q->p, 1, "',' (and) or '||' (or) is expected here");
	q->p += c->more ? 2 : 1;
	return 0;
}

static int too_many(const struct condition_parser *q)
{
	char msg[80];

	snprintf(msg, sizeof(msg), "there are too many conditions: at most %u", BPF_FILTER_MAX);
	return fail(q, q->p, 1, msg);
}

int bpf_filter_parse(struct bpf_filter *f, const char *text, const char *event, struct err *err)
{
	struct condition_parser q = { .text = text, .p = text, .event = event, .err = err };
	bool end = false;

	while (!end) {
		struct filter_compare c = { 0 };
		int ret = f->compare.nr < BPF_FILTER_MAX ? parse_compare(&q, &c) : too_many(&q);

		if (!ret)
			ret = parse_joint(&q, &c, &end);
		if (ret)
			return ret;
		vec_push(&f->compare, c);
	}
	return 0;
}

int bpf_filter_check(const struct bpf_filter *f, const struct event *ev, struct err *err)
{
	vec_foreach(&f->compare, c) {
		u64 needs = c->term->needs;

		if (!needs || (ev->attr.sample_type & needs))
			continue;
		err_set(err, -EINVAL, "filter of '%s': its samples have no %s", ev->name, c->term->name);
		for (size_t i = 0; i < ARRAY_SIZE(options); i++)
			if (options[i].bits & needs) {
				err_hint(err, "%s records it", options[i].option);
				break;
			}
		return -EINVAL;
	}
	return 0;
}

void bpf_filter_release(struct bpf_filter *f)
{
	vec_release(&f->compare);
}
