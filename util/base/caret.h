/* Caret: shows a place in a text that the user typed: the text on one line, ^~~~ on the next. */
#ifndef PERF_BASE_CARET_H
#define PERF_BASE_CARET_H

#include "err.h"

/*
 * Sets err->place to both lines, with ^~~~ below len bytes from off (at most the length of text). Only the
 * part of a long text around off is shown.
 */
void err_caret(struct err *err, const char *text, size_t off, size_t len);

#endif
