/* Header-print: the header of a file as text. */
#ifndef PERF_DATA_HEADER_PRINT_H
#define PERF_DATA_HEADER_PRINT_H

#include "data.h"
#include "../base/strbuf.h"

/*
 * The header as report --header-only shows it, starting with "# ========"; full: with the topology (-I).
 * Control characters from the file are escaped.
 */
void features_print(const struct data *d, struct strbuf *out, bool full);

/* appends the lines of one feature; nothing if it has no lines or is absent */
void feature_print_one(const struct data *d, u64 bit, bool full, struct strbuf *out);

#endif
