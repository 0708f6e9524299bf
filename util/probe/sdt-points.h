/* Sdt-points: the points of markers (SDT) of a program, with their arguments and semaphores. */
#ifndef PERF_PROBE_SDT_POINTS_H
#define PERF_PROBE_SDT_POINTS_H

#include "../base/err.h"

struct arena;
struct probe_image;
struct probe_point;
struct probe_points;
struct probe_spec;

/*
 * Appends a point for each place of the markers that a spec of kind PROBE_SDT names. with_args: with the
 * spec's arguments that need no debug information; a spec without arguments gets the marker's, as arg1, arg2
 * and so on, as far as a probe can read them. 0, or -ENOENT with err
 */
int sdt_points(struct probe_image *img, const struct probe_spec *spec, bool with_args,
	       struct probe_points *out, struct err *err);
/* true if names are equal or differ only in doubled '_': some tools write step__one as step_one */
bool sdt_names_alike(const char *a, const char *b);
/* "sdt_libc" for "libc": letters, digits and _ */
char *sdt_group(const char *provider, struct arena *mem);

#endif
