/*
 * Variables: from an argument of a definition to fetch-arguments of the kernel
 * (kprobetrace.rst and uprobetracer.rst of its documentation): where a variable is at an address, how its
 * members are reached from there, and how it is shown.
 */
#ifndef PERF_PROBE_VARIABLES_H
#define PERF_PROBE_VARIABLES_H

#include "../base/err.h"

struct probe_arg;
struct probe_point;
struct probe_points;
struct variable_place;

/*
 * Appends the fetch-arguments of arg to p: one, or for $params and $vars as many as there are. 0, or an error
 * with a sentence: -ENODATA optimised out, -ENOENT no such variable or member, -EOPNOTSUPP cannot be said.
 */
int variable_fetch(struct variable_place *f, const struct probe_arg *arg, struct probe_points *pts,
		   struct probe_point *p, struct err *err);

#endif
