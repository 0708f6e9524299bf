/* Words of comma-separated option arguments; for the parsers of util/sys only. */
#ifndef PERF_SYS_WORDS_H
#define PERF_SYS_WORDS_H

#include <stdio.h>
#include <string.h>
#include "../base/types.h"

/* copies the next comma-separated word of *s to buf and moves on; false at the end. Too long words are cut: they match nothing */
static inline bool next_word(const char **s, char *buf, size_t size)
{
	size_t len = strcspn(*s, ",");

	if (!**s)
		return false;
	snprintf(buf, size, "%.*s", (int)MIN(len, size), *s);
	*s += len;
	if (**s == ',')
		(*s)++;
	return true;
}

#endif
