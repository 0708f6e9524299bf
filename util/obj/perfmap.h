/*
 * Perfmap: symbols of generated code, which a JIT compiler writes to /tmp/perf-PID.map: "START SIZE NAME" per
 * line, separated by blanks or tabs, numbers in hex with or without 0x, the name up to the end of the line. A
 * size of 0 means up to the next symbol. If two lines have the same address, the later one counts.
 */
#ifndef PERF_OBJ_PERFMAP_H
#define PERF_OBJ_PERFMAP_H

#include "symvec.h"

/* adds the symbols of a map's text; malformed lines are skipped. Returns their number */
size_t perfmap_parse(const char *text, size_t len, struct symvec *v);

#endif
