/* Stream: the words around values. */
#include "stream.h"

#include <stdio.h>

const char *stream_next_value(const char *words, size_t *ret_before, char *key, const char **form)
{
	const char *open = strchr(words, '{');
	size_t len;

	*ret_before = open ? (size_t)(open - words) : strlen(words);
	if (!open)
		return NULL;
	len = strcspn(open + 1, ":?}");
	snprintf(key, STREAM_KEY_MAX, "%.*s", (int)len, open + 1);
	*form = open + 1 + len + (open[1 + len] == ':');
	return strchr(*form, '}') + 1;
}
