/*
 * Parallelism: how many of the recorded tasks were on CPUs at any time. Made of the context switches and exits of a file in one
 * pass over its chunks, in the pool; then const, so samples may be asked about in any order and from any thread.
 *
 * Who runs is not kept, only how many: a task that is switched in is one more, one that is switched out or exits is one less.
 * Recording begins with one that runs. What comes out of that is at least one and at most the CPUs of the machine.
 */
#ifndef PERF_SESSION_PARALLELISM_H
#define PERF_SESSION_PARALLELISM_H

#include "session.h"

struct parallelism;

/* some event of the file was recorded with context switches */
bool parallelism_recorded(const struct session *s);
struct parallelism *parallelism_new(const struct session *s);
void parallelism_free(struct parallelism *p);
/* the highest there is at any time; 1: everything ran one after the other */
u32 parallelism_max(const struct parallelism *p);
/*
 * Just before the record at that offset. *hint is the caller's, zero at first: times that follow one another are found without
 * a search.
 */
u32 parallelism_at(const struct parallelism *p, u64 time, u64 off, size_t *hint);

#endif
