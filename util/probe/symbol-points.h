/* Symbol-points: the points of a spec from symbol tables alone: functions, offsets, returns, addresses. */
#ifndef PERF_PROBE_SYMBOL_POINTS_H
#define PERF_PROBE_SYMBOL_POINTS_H

#include "../base/err.h"

struct probe_image;
struct probe_points;
struct probe_spec;
struct probe_target;

/*
 * Points of a program or library. 0, or a negative errno with err: -ENODATA if the spec needs debug
 * information, -ENOENT if there is no such function.
 */
int symbol_points(struct probe_image *img, const struct probe_target *t, const struct probe_spec *spec,
		  struct probe_points *out, struct err *err);

#endif
