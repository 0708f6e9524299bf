/* Spec-word: numbers and names in definitions, for the parsers of places and of arguments. */
#ifndef PERF_PROBE_SPEC_WORD_H
#define PERF_PROBE_SPEC_WORD_H

#include "../base/types.h"

/* decimal, or hex with 0x: digits of s up to len; the number of characters, 0: not a number or too large */
size_t probe_number(const char *s, size_t len, u64 *ret);
/* length of the C identifier at s, at most len */
size_t probe_ident(const char *s, size_t len);

#endif
