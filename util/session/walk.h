/*
 * Walk: looks at every record of a profile once more, chunk by chunk in the pool, for what is asked for seldom and so is not part of
 * the scan. Pages of a chunk are given back behind it.
 */
#ifndef PERF_SESSION_WALK_H
#define PERF_SESSION_WALK_H

#include "session.h"

/*
 * Calls look(ctx, i, rec, scratch) for the records of the i-th chunk, in order; chunks in any order and by several threads at once.
 * scratch is the chunk's own and empty for each record. What is wrong with records is counted elsewhere. title: for the progress line.
 */
void session_walk(const struct session *s, const char *title,
		  void (*look)(void *ctx, size_t i, const struct rec *rec, struct arena *scratch), void *ctx);

#endif
