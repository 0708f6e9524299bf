/*
 * Parallelism: how many of the recorded tasks were on CPUs at any time. Made from the context switches and
 * exits of a file in one pass over its chunks, in the pool; const afterwards, so it can be queried in any
 * order and from any thread.
 *
 * Only the number of running tasks is kept: a task that is switched in adds one, a task that is switched out
 * or exits subtracts one. At the start of the recording one task runs. The result is at least one and at most
 * the number of CPUs of the machine.
 */
#ifndef PERF_SESSION_PARALLELISM_H
#define PERF_SESSION_PARALLELISM_H

#include "session.h"

struct parallelism;

/* true if an event of the file was recorded with context switches */
bool parallelism_recorded(const struct session *s);
struct parallelism *parallelism_new(const struct session *s);
void parallelism_free(struct parallelism *p);
/* the maximum at any time; 1: tasks ran one after another */
u32 parallelism_max(const struct parallelism *p);
/*
 * The number just before the record at that point. *hint belongs to the caller and is zero at first: it
 * makes searches for ascending times unnecessary.
 */
u32 parallelism_at(const struct parallelism *p, struct when when, size_t *hint);

#endif
