/* Config keys: the rows and the look-up. */
#include "config-keys.h"
#include "../base/units.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct config_key config_keys[] = {
#define CONFIG_KEY(name, kind, words) { name, CONFIG_##kind, words, NULL },
#define CONFIG_LATER(name, why) { name, CONFIG_ANY, NULL, why },
#include "config-keys.def"
#undef CONFIG_KEY
#undef CONFIG_LATER
	{ 0 }
};

const struct config_key *config_key_find(const char *name)
{
	for (const struct config_key *k = config_keys; k->name; k++) {
		size_t len = strlen(k->name);

		if (k->name[len - 1] == '*' ? !strncasecmp(k->name, name, len - 1) && name[len - 1] :
		    !strcasecmp(k->name, name))
			return k;
	}
	return NULL;
}

const char *config_key_nearest(const char *name)
{
	unsigned int best = strlen(name) / 3 + 1;
	const char *ret = NULL;

	for (const struct config_key *k = config_keys; k->name; k++) {
		unsigned int d = k->unused ? best : edit_distance(name, k->name);

		if (d < best) {
			best = d;
			ret = k->name;
		}
	}
	return ret;
}

/* whether the first len bytes of value are one of the words */
static bool is_word(const char *words, const char *value, size_t len)
{
	for (const char *w = words; w && *w; w += strspn(w, " ")) {
		size_t n = strcspn(w, " ");

		if (n == len && !strncmp(w, value, n))
			return true;
		w += n;
	}
	return false;
}

static bool is_bool(const char *value)
{
	static const char *const words[] = { "true", "false", "yes", "no", "on", "off", "1", "0" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcasecmp(words[i], value))
			return true;
	return false;
}

static bool is_number(const char *value)
{
	char *end;
	double v = strtod(value, &end);

	return end != value && isdigit((unsigned char)*value) && v >= 0 && (!*end || !strcmp(end, "%"));
}

int config_key_check(const struct config_key *k, const char *value, struct err *err)
{
	size_t len = k->kind == CONFIG_FIRST_WORD ? strcspn(value, ",") : strlen(value);
	const char *what = "";
	bool good = false;
	u64 bytes;

	switch (k->kind) {
	case CONFIG_ANY:
		return 0;
	case CONFIG_BOOL:
		good = is_bool(value);
		what = k->words ? "true, false or one of: " : "true or false";
		break;
	case CONFIG_NUMBER:
		good = is_number(value);
		what = "a number";
		break;
	case CONFIG_SIZE:
		good = !parse_size(value, &bytes);
		what = "a number of bytes";
		break;
	case CONFIG_WORD:
	case CONFIG_FIRST_WORD:
		what = "one of: ";
		break;
	}
	if (good || is_word(k->words, value, len))
		return 0;
	return err_set(err, -EINVAL, "configuration key %s: '%s' is not %s%s", k->name, value, what,
		       k->words ? k->words : "");
}
