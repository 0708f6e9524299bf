/* Sdt-marker: the arguments that a marker (SDT) has at a point of a program. */
#ifndef PERF_PROBE_SDT_MARKER_H
#define PERF_PROBE_SDT_MARKER_H

#include "../base/types.h"

struct probe_image;
struct probe_point;
struct strbuf;

/*
 * Appends the fetch-argument of the n-th argument of the marker at p, with its type. 0, -ENOENT if it has
 * fewer, or an error of sdt_arg_text()
 */
int sdt_marker_arg(struct probe_image *img, const struct probe_point *p, u32 n, struct strbuf *out);
/* moves *args to the n-th argument from 1 on, and returns its length; 0: there is none */
size_t sdt_marker_arg_at(const char **args, u32 n);

#endif
