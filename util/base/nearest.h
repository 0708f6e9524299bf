/*
 * Nearest: of many words those that are spelled most like one, for "did you mean". nearest_init(), offer all candidates, then
 * nearest_describe(). Owns copies of the best words; nothing to free.
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
/* " (did you mean 'a', 'b'?)" appended to out, nothing where no word is near */
void nearest_describe(const struct nearest *n, struct strbuf *out);

#endif
