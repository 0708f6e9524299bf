/* Json-out: strings and numbers as JSON wants them. Owns nothing; the same under any locale. */
#ifndef PERF_BASE_JSON_OUT_H
#define PERF_BASE_JSON_OUT_H

#include "strbuf.h"

/* s in quotes; control characters as \u00NN, bytes that are not UTF-8 as U+FFFD. NULL: null */
void json_add_string(struct strbuf *out, const char *s);
/* the shortest text that reads back as the same number; null where there is none (nan, infinite) */
void json_add_double(struct strbuf *out, double v);

#endif
