/*
 * Format: numbers to text without printf, for outputs of millions of cells. The text is what printf writes,
 * byte for byte.
 */
#ifndef PERF_BASE_FORMAT_H
#define PERF_BASE_FORMAT_H

#include "strbuf.h"

/* 100 * part / total with two decimals and a percent sign, as "%.2f%%" prints it; 0.00% where total is 0 */
void format_percent(struct strbuf *sb, u64 part, u64 total);

#endif
