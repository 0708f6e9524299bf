/* Caret: shows a place in a text that somebody typed: the text on a line of its own, ^~~~ on the next. */
#ifndef PERF_BASE_CARET_H
#define PERF_BASE_CARET_H

#include "err.h"

/* adds both lines to err as hints; of long texts the part around off (bytes from the start, at most its length) */
void err_caret(struct err *err, const char *text, size_t off, size_t len);

#endif
