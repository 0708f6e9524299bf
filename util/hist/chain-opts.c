/* Parsing -g of report: print type, threshold, print limit, order, key, value, in any order. */
#include "chain-opts.h"
#include "chain-words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../base/alloc.h"
#include "../base/strbuf.h"

struct chain_word {
	const char *name;
	u8 set;		/* which member it sets */
	u8 value;
};
enum { SET_MODE, SET_CALLER, SET_KEY, SET_VALUE, SET_BRANCH };

static const struct chain_word words[] = {
	{ "none", SET_MODE, CHAIN_MODE_NONE },
	{ "flat", SET_MODE, CHAIN_MODE_FLAT },
	{ "graph", SET_MODE, CHAIN_MODE_GRAPH },
	{ "fractal", SET_MODE, CHAIN_MODE_FRACTAL },
	{ "folded", SET_MODE, CHAIN_MODE_FOLDED },
	{ "caller", SET_CALLER, true },
	{ "callee", SET_CALLER, false },
	{ "function", SET_KEY, CHAIN_KEY_FUNCTION },
	{ "address", SET_KEY, CHAIN_KEY_ADDRESS },
	{ "srcline", SET_KEY, CHAIN_KEY_SRCLINE },
	{ "percent", SET_VALUE, CHAIN_VALUE_PERCENT },
	{ "period", SET_VALUE, CHAIN_VALUE_PERIOD },
	{ "count", SET_VALUE, CHAIN_VALUE_COUNT },
	{ "branch", SET_BRANCH, true },
};

void chain_words_add(struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		strbuf_addf(out, "%s\n", words[i].name);
}

static int apply_word(struct chain_opts *o, const struct chain_word *w, struct err *err)
{
	switch (w->set) {
	case SET_MODE:
		o->mode = w->value;
		break;
	case SET_CALLER:
		o->caller = w->value;
		o->caller_set = true;
		break;
	case SET_KEY:
		o->key = w->value;
		o->key_set = true;
		break;
	case SET_VALUE:
		o->value = w->value;
		break;
	default:
		o->branch = true;
	}
	return 0;
}

static const struct chain_word *find_word(const char *s)
{
	size_t len = strlen(s);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i].name, s))
			return &words[i];
	for (size_t i = 0; len >= 3 && i < ARRAY_SIZE(words); i++)
		if (!strncmp(words[i].name, s, len))
			return &words[i];
	return NULL;
}

static int parse_number(struct chain_opts *o, const char *s, u32 nth, struct err *err)
{
	char *end;
	double v = strtod(s, &end);

	if (*end || end == s || !(v >= 0 && v <= UINT32_MAX))
		return err_set(err, -EINVAL, "-g: '%s' is neither a word nor a number (words: graph flat "
			       "fractal folded none caller callee function address srcline percent period "
			       "count branch)", s);
	if (nth == 0)
		o->min_percent = v;
	else
		o->print_limit = v;
	return 0;
}

int chain_opts_parse(struct chain_opts *o, const char *arg, struct err *err)
{
	char *copy = xstrdup(arg), *save = NULL;
	u32 nr_numbers = 0;
	int ret = 0;

	for (char *s = strtok_r(copy, ",", &save); s && !ret; s = strtok_r(NULL, ",", &save)) {
		const struct chain_word *w = find_word(s);

		if (w)
			ret = apply_word(o, w, err);
		else
			ret = parse_number(o, s, nr_numbers++, err);
	}
	free(copy);
	return ret;
}

/* the words that a variable accepts; -1: a number */
static const struct {
	int set;
	u32 nth;
} config_rows[] = { { SET_MODE }, { SET_CALLER }, { SET_KEY }, { -1, 0 }, { -1, 1 } };

const char *const chain_config_key[] = { "call-graph.print-type", "call-graph.order", "call-graph.sort-key",
	"call-graph.threshold", "call-graph.print-limit", NULL };

int chain_opts_config(struct chain_opts *o, u32 i, const char *value, struct err *err)
{
	const struct chain_word *w = find_word(value);

	if (config_rows[i].set >= 0 && w && w->set == config_rows[i].set)
		return apply_word(o, w, err);
	if (config_rows[i].set < 0 && !w && !parse_number(o, value, config_rows[i].nth, err))
		return 0;
	return err_set(err, -EINVAL, "configuration key %s: '%s' is not a valid value", chain_config_key[i],
		       value);
}
