/* Config keys: the rows and the search in them. */
#include "config-keys.h"
#include "../base/units.h"

#include <stddef.h>
#include <string.h>

const struct config_key config_keys[] = {
#define CONFIG_KEY(name) { name, NULL },
#define CONFIG_LATER(name, why) { name, why },
#include "config-keys.def"
#undef CONFIG_KEY
#undef CONFIG_LATER
	{ NULL, NULL }
};

const struct config_key *config_key_find(const char *name)
{
	for (const struct config_key *k = config_keys; k->name; k++) {
		size_t len = strlen(k->name);

		if (k->name[len - 1] == '*' ? !strncasecmp(k->name, name, len - 1) && name[len - 1] : !strcasecmp(k->name, name))
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
