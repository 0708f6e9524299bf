/*
 * Spread: how the cycles of a basic block are distributed, as text: for the first file and another one, how
 * often it took how many cycles, from the fewest to the most of both.
 */
#ifndef PERF_DIFF_SPREAD_H
#define PERF_DIFF_SPREAD_H

#include "diff.h"

#define SPREAD_BINS 8u
#define SPREAD_WIDTH 30u	/* of the usual text */

/*
 * appends "5..25 |:@.     |  .:@|": cycles from 5 to 25 in 8 steps, in the first file and in file i; nothing
 * for rows that one of them does not have
 */
void spread_add(const struct diff_row *row, u32 i, struct strbuf *out);

#endif
