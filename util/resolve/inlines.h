/*
 * Inlines: looks for the functions that were inlined at frames. The debug information of a file is unpacked
 * and read right after its symbols, in the same task: if it were read after the symbols of all files, one
 * large file would delay everything. If symbols without frames are forgotten, it is read after that.
 */
#ifndef PERF_RESOLVE_INLINES_H
#define PERF_RESOLVE_INLINES_H

#include "names.h"

struct inline_finder;

struct inline_finder *inline_finder_new(const struct names *n);
void inline_finder_free(struct inline_finder *f);
/* sorts frames by dso; call it before the first inline_finder_dso() */
void inline_finder_begin(struct names *n);
/* a task: finds what is inlined at the frames in that dso, whose symbols are loaded. names: struct names */
void inline_finder_dso(void *names, u32 dso);
/* the same in two steps: symbols of dsos are not looked up after the first one */
void inline_finder_ask(struct names *n);
void inline_finder_run(struct names *n);

#endif
