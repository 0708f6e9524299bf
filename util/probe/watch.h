/*
 * Watch: a process that waits for the end of this one, however that comes, removes the probes of a plan, and
 * warns meanwhile when they occur too often (guard.h).
 */
#ifndef PERF_PROBE_WATCH_H
#define PERF_PROBE_WATCH_H

#include "plan.h"

/*
 * Starts it, before the probes are made; lock_fd is kept open by it (left-over.h; -1: none), and path removed
 * at its end (NULL: none). Returns a descriptor for probe_watch_end(), or a negative errno with err
 */
int probe_watch_begin(const struct probe_plan *plan, int lock_fd, const char *path, struct err *err);
/* has the probes removed, and returns when that is done */
void probe_watch_end(int fd);

#endif
