/* Languages: the rows of languages.def. */
#include "languages.h"

#include <string.h>
#include <strings.h>
#include "../base/strbuf.h"
#include "engine-values.h"
#include "interpreter.h"
#include "starter.h"

static const struct language languages[] = {
#define LANGUAGE(name, ending, plugin, package, define, scope, calls, starter, load) \
	{ name, ending, plugin, package, define, scope, &(calls), &(starter), load },
#include "languages.def"
#undef LANGUAGE
};

const struct language *language_nth(size_t n)
{
	return n < ARRAY_SIZE(languages) ? &languages[n] : NULL;
}

static bool is_word(const char *name, const char *word, size_t len)
{
	return strlen(name) == len && !strncasecmp(name, word, len);
}

const struct language *language_named(const char *word, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++)
		if (is_word(languages[i].name, word, len) || is_word(languages[i].ending, word, len))
			return &languages[i];
	return NULL;
}

const struct language *language_of_file(const char *file)
{
	const char *dot = strrchr(file, '.');

	return dot ? language_named(dot + 1, strlen(dot + 1)) : NULL;
}

void language_list(bool endings, struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++)
		strbuf_addf(out, "%s%s%s", i ? " or " : "", endings ? "." : "",
			    endings ? languages[i].ending : languages[i].name);
}
