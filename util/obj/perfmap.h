/*
 * Perfmap: symbols of generated code, which a JIT compiler writes to /tmp/perf-PID.map: "START SIZE NAME" per
 * line, numbers in hex, the name up to the end of the line. If two lines have the same address, the later one
 * counts.
 */
#ifndef PERF_OBJ_PERFMAP_H
#define PERF_OBJ_PERFMAP_H

#include "symvec.h"

/* adds the symbols of a map's text; malformed lines are skipped. Returns their number */
size_t perfmap_parse(const char *text, size_t len, struct symvec *v);

#endif
