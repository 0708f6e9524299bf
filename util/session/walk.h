/*
 * Walk: visits every record of a profile again, chunk by chunk in the pool, for data that is rarely needed
 * and so is not collected by the scan. The pages of a chunk are released after it.
 */
#ifndef PERF_SESSION_WALK_H
#define PERF_SESSION_WALK_H

#include "session.h"

/*
 * Calls look(ctx, i, rec, scratch) for the records of the i-th chunk, in order; chunks come in any order, and
 * in several threads at a time. Each chunk has its own scratch, which is empty for each record. Damaged
 * records are counted elsewhere. title: for the progress line.
 */
void session_walk(const struct session *s, const char *title,
		  void (*look)(void *ctx, size_t i, const struct rec *rec, struct arena *scratch), void *ctx);

#endif
