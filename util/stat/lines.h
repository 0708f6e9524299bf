/* Lines: tallies to cells. */
#ifndef PERF_STAT_LINES_H
#define PERF_STAT_LINES_H

#include "show-opts.h"

/* lines, metrics and notes of b; the rest of b is the caller's */
void stat_lines_build(struct view_block *b, const struct stat_lines_in *in);

#endif
