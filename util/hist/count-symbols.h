/*
 * Counting by symbol: for pictures, which show functions only. The files that the first chunks hit get their
 * symbols loaded; from then on all addresses of a symbol are one frame. Pictures are the same as without it.
 */
#ifndef PERF_HIST_COUNT_SYMBOLS_H
#define PERF_HIST_COUNT_SYMBOLS_H

#include "count-worker.h"
#include "hist-opts.h"

/* whether all addresses of a symbol are the same to the picture, and the file is large enough to care */
bool counts_by_symbol(const struct session *s, const struct hist_opts *o);
/* counts all chunks of the file: count() those with these numbers, by all workers */
void count_by_symbol(struct session *s, const struct hist_opts *o, struct count_worker *workers,
		     void (*count)(void *ctx, const u32 *chunk, size_t nr), void *ctx);

#endif
