/*
 * Watch: a process that outlives this one: however this one ends, it then removes the probes of a plan. Until
 * then it warns when they occur too often (guard.h).
 */
#ifndef PERF_PROBE_WATCH_H
#define PERF_PROBE_WATCH_H

#include "plan.h"

/*
 * Starts it, before the probes are made. It keeps lock_fd open (left-over.h; -1: none) and removes path at
 * its end (NULL: none). Returns a descriptor for probe_watch_end(), or a negative errno with err
 */
int probe_watch_begin(const struct probe_plan *plan, int lock_fd, const char *path, struct err *err);
/* makes the process remove the probes, and returns when that is done */
void probe_watch_end(int fd);

#endif
