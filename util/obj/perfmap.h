/*
 * Perfmap: symbols of run-time generated code that a JIT writes to /tmp/perf-PID.map: "START SIZE NAME" a line, numbers in hex,
 * the name up to the end of the line. Of two lines with one address the later counts.
 */
#ifndef PERF_OBJ_PERFMAP_H
#define PERF_OBJ_PERFMAP_H

#include "symvec.h"

/* adds the symbols of a map's text; malformed lines are skipped. Returns how many */
size_t perfmap_parse(const char *text, size_t len, struct symvec *v);

#endif
