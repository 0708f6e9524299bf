/* Sdt-points: the points of markers (SDT) of a program, with their arguments and semaphores. */
#ifndef PERF_PROBE_SDT_POINTS_H
#define PERF_PROBE_SDT_POINTS_H

#include "../base/err.h"

struct arena;
struct probe_image;
struct probe_points;
struct probe_spec;

/*
 * Appends a point for each place of the markers that a spec of kind PROBE_SDT names. Without arguments in
 * the spec
 * a point has those of the marker that a probe can read, as arg1, arg2 and so on. 0, or -ENOENT with err
 */
int sdt_points(struct probe_image *img, const struct probe_spec *spec, struct probe_points *out,
	       struct err *err);
/* "sdt_libc" for "libc": letters, digits and _ */
char *sdt_group(const char *provider, struct arena *mem);

#endif
