/* Advice: the closing notes: why something was not counted, and which counts cannot be trusted. */
#ifndef PERF_STAT_ADVICE_H
#define PERF_STAT_ADVICE_H

#include "show-opts.h"

/* appends notes to b */
void stat_advice(struct view_block *b, const struct stat_lines_in *in);

#endif
