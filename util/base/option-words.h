/* Words: the parts of a comma-separated option argument. */
#ifndef PERF_BASE_WORDS_H
#define PERF_BASE_WORDS_H

#include <stdio.h>
#include <string.h>
#include "types.h"

/*
 * Copies the next comma-separated word of *s to buf, without blanks around it, and advances *s; false at the
 * end. A word that is too long is cut, and then matches nothing.
 */
static inline bool next_word(const char **s, char *buf, size_t size)
{
	const char *word = *s + strspn(*s, " \t"), *end = word + strcspn(word, ",");
	size_t len = end - word;

	if (!*word)
		return false;
	while (len && (word[len - 1] == ' ' || word[len - 1] == '\t'))
		len--;
	snprintf(buf, size, "%.*s", (int)MIN(len, size), word);
	*s = end;
	if (**s == ',')
		(*s)++;
	return true;
}

/* each word of the list, which may be NULL, is one of words */
static inline bool words_all_of(const char *list, const char *const *words, size_t nr)
{
	char word[64];
	size_t i;

	while (list && next_word(&list, word, sizeof(word))) {
		for (i = 0; i < nr && strcmp(words[i], word); i++)
			;
		if (i == nr)
			return false;
	}
	return true;
}

#endif
