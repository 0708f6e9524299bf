/*
 * Left-over: probes whose command and its watch (watch.h) were both killed. The probes of each running
 * command are listed in a file of /run/perf-probes, which both keep locked; the next command removes the
 * probes that an unlocked file lists. Without that directory (no permission) nothing is listed.
 */
#ifndef PERF_PROBE_LEFT_OVER_H
#define PERF_PROBE_LEFT_OVER_H

#include "plan.h"

/*
 * Lists the probes of a plan, before they are made. Returns a descriptor that has the lock, and in *ret_path
 * the path of the file, which the caller frees; -1: it is not possible
 */
int left_over_list(const struct probe_plan *plan, char **ret_path);
/* removes probes whose commands have ended; probes whose definition has changed since are kept */
void left_over_sweep(void);

#endif
