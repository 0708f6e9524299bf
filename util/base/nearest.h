/*
 * Nearest: finds the words that are spelled most like a given one, for "did you mean". Call nearest_init(),
 * offer all candidates, then call nearest_describe(). Owns copies of the best words; nothing needs to be
 * freed.
 */
#ifndef PERF_BASE_NEAREST_H
#define PERF_BASE_NEAREST_H

#include "strbuf.h"

struct nearest {
	const char *want;
	size_t want_len;
	unsigned int best[3];		/* distances + 1; 0: none */
	char name[3][80];
};
void nearest_init(struct nearest *n, const char *want, size_t want_len);
void nearest_offer(struct nearest *n, const char *name);
/* appends " (did you mean 'a', 'b'?)" to out, or nothing if no word is near */
void nearest_describe(const struct nearest *n, struct strbuf *out);

#endif
