/* Unwinder: see unwinder.h. */
#include "unwinder.h"

#include <errno.h>
#include <string.h>

#define UNWINDER(name, text) "," #name
const char *const unwinder_names =
	&(
#include "unwinders.def"
	)[1];
#undef UNWINDER

static const struct unwinder *const unwinders[] = {
#define UNWINDER(name, text) &unwinder_##name,
#include "unwinders.def"
#undef UNWINDER
};

static const struct unwinder *find(const char *word, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(unwinders); i++)
		if (!strncmp(unwinders[i]->name, word, len) && !unwinders[i]->name[len])
			return unwinders[i];
	return NULL;
}

const struct unwinder *unwinder_choose(const char *list, struct err *err)
{
	const struct unwinder *chosen = NULL;
	struct err first = ERR_INIT;

	do {
		size_t len = strcspn(list, ",");
		const struct unwinder *u = find(list, len);
		struct err why = ERR_INIT;

		if (!u) {
			err_set(err, -EINVAL, "'%.*s' is not one of %s", (int)len, list, unwinder_names);
			return NULL;
		}
		if (!chosen && (!u->load || !u->load(&why)))
			chosen = u;
		if (!first.code)
			first = why;
		list += len;
	} while (*list++);
	if (!chosen)
		*err = first;
	return chosen;
}
