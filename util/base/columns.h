/*
 * Columns: how wide text is on a terminal. Characters of East Asian scripts and emoji take two columns,
 * combining ones none (Unicode, East Asian Width and General Category, the blocks as a whole); bytes that
 * are no UTF-8 take one each. The locale does not matter, as names are written as they are in every one.
 */
#ifndef PERF_BASE_COLUMNS_H
#define PERF_BASE_COLUMNS_H

#include <stddef.h>

size_t text_columns(const char *s, size_t len);

#endif
